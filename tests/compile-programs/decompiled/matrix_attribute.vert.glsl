#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 viewProjection;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inModel_0;
layout(location = 2) in vec4 inModel_1;
layout(location = 3) in vec4 inModel_2;
layout(location = 4) in vec4 inModel_3;
layout(location = 5) in vec4 inColor;

layout(location = 0) out vec4 color;

void main() {
    color = inModel_3.w * inColor;
    gl_Position = viewProjection * (inPosition.x * inModel_0
        + inPosition.y * inModel_1
        + inPosition.z * inModel_2
        + inPosition.w * inModel_3);
}
