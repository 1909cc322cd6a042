#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 modelRows[4];
    mat4 projection;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;
layout(location = 1) out vec3 view;

void main() {
    vec3 sum = inPosition.w * modelRows[3].xyz
        + (inPosition.z * modelRows[2].xyz
            + (inPosition.x * modelRows[0].xyz + modelRows[1].xyz * inPosition.y));
    color = vec4(
        (inNormal.z * modelRows[2].xyz
            + (inNormal.x * modelRows[0].xyz + modelRows[1].xyz * inNormal.y))
            * 0.125
            + 0.5,
        1.0
    );
    view = -sum;
    gl_Position = projection * vec4(sum, 1.0);
}
