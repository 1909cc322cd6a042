#version 450
// maxwell_v01_transform.vert.dksh#0/vertex: vertex program, maxwell
// Assumed:
// - no number is so small that the machine takes it for zero
// - a product may be rounded before something is added to it

layout(std140, binding = 0) uniform block0 {
    vec4 block0_values[9];
};

layout(location = 0) in vec3 attribute0;
layout(location = 1) in vec3 attribute1;
layout(location = 2) in vec2 attribute2;

layout(location = 0) out vec3 output0;
layout(location = 1) out vec2 output1;

void main() {
    vec4 v2 = (attribute0.y * block0_values[5].y
        + attribute0.x * block0_values[4].y
        + attribute0.z * block0_values[6].y
        + block0_values[7].y)
        * block0_values[1]
        + (attribute0.y * block0_values[5].x
            + attribute0.x * block0_values[4].x
            + attribute0.z * block0_values[6].x
            + block0_values[7].x)
            * block0_values[0];
    vec4 v0 = (attribute0.y * block0_values[5].z
        + attribute0.x * block0_values[4].z
        + attribute0.z * block0_values[6].z
        + block0_values[7].z)
        * block0_values[2]
        + v2
        + (attribute0.y * block0_values[5].w
            + attribute0.x * block0_values[4].w
            + attribute0.z * block0_values[6].w
            + block0_values[7].w)
            * block0_values[3];
    gl_Position = v0;
    vec3 v1 = attribute1.y * block0_values[5].xyz
        + attribute1.x * block0_values[4].xyz
        + attribute1.z * block0_values[6].xyz;
    output0 = v1 * inversesqrt(abs(v1.y * v1.y + v1.x * v1.x + v1.z * v1.z));
    output1 = attribute2 * block0_values[8].xy + block0_values[8].zw;
}
