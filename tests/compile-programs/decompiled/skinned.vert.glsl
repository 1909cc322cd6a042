#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 joint_matrices[48];
    mat4 view_projection;
};

layout(location = 0) in vec4 position;
layout(location = 1) in vec4 joints;
layout(location = 2) in vec4 weights;

layout(location = 1) out vec4 color;

void main() {
    int indexX = int(floor(joints.x) * 4.0);
    int indexY = int(floor(joints.y) * 4.0);
    vec4 sum = vec4(
        dot(joint_matrices[indexX], position),
        dot(joint_matrices[indexX + 1], position),
        dot(joint_matrices[indexX + 2], position),
        dot(joint_matrices[indexX + 3], position)
    ) * weights.x
        + vec4(
            dot(joint_matrices[indexY], position),
            dot(joint_matrices[indexY + 1], position),
            dot(joint_matrices[indexY + 2], position),
            dot(joint_matrices[indexY + 3], position)
        ) * weights.y;
    gl_Position = view_projection * sum;
    color = vec4(weights.xy, 0.0, 1.0);
}
