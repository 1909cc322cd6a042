#version 450
// maxwell_v02_skin.vert.dksh#0/vertex: vertex program, maxwell
// Assumed:
// - no number is so small that the machine takes it for zero
// - a product may be rounded before something is added to it
// - indices of relative addressing stay inside what they address
// - the terms of a dot product may be added in any order

layout(std140, binding = 0) uniform block0 {
    mat3x4 block0_matrices0[1365];
};

layout(std140, binding = 1) uniform block1 {
    mat4 block1_matrix0;
};

layout(location = 0) in vec3 attribute0;
layout(location = 1) in ivec4 attribute1;
layout(location = 2) in vec4 attribute2;
layout(location = 3) in vec3 attribute3;

layout(location = 0) out vec3 output0;

void main() {
    vec4 v0 = vec4(attribute0, 1.0);
    output0 = attribute2.x * (attribute3 * mat3(block0_matrices0[attribute1.x]))
        + attribute2.y * (attribute3 * mat3(block0_matrices0[attribute1.y]))
        + attribute2.z * (attribute3 * mat3(block0_matrices0[attribute1.z]))
        + attribute2.w * (attribute3 * mat3(block0_matrices0[attribute1.w]));
    gl_Position = block1_matrix0 * vec4(
        attribute2.x * (v0 * block0_matrices0[attribute1.x])
            + attribute2.y * (v0 * block0_matrices0[attribute1.y])
            + attribute2.z * (v0 * block0_matrices0[attribute1.z])
            + attribute2.w * (v0 * block0_matrices0[attribute1.w]),
        1.0
    );
}
