#version 450
// maxwell_v01_transform.vert.dksh#0/vertex: vertex program, maxwell
// Assumed:
// - no number is so small that the machine takes it for zero
// - a product may be rounded before something is added to it
// - the terms of a dot product may be added in any order
// - vectors that are normalized are not zero

layout(std140, binding = 0) uniform block0 {
    mat4 block0_matrix0;
    mat4 block0_matrix4;
    vec4 block0_vector8;
};

layout(location = 0) in vec3 attribute0;
layout(location = 1) in vec3 attribute1;
layout(location = 2) in vec2 attribute2;

layout(location = 0) out vec3 output0;
layout(location = 1) out vec2 output1;

void main() {
    gl_Position = block0_matrix0 * (block0_matrix4 * vec4(attribute0, 1.0));
    output0 = normalize(mat3(block0_matrix4) * attribute1);
    output1 = attribute2 * block0_vector8.xy + block0_vector8.zw;
}
