#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 threshold;
    bool plain;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inColor;

layout(location = 0) out vec4 color;

void main() {
    vec4 colorValue;
    if (plain) {
        colorValue = inColor;
    } else {
        float productX = threshold.x * inColor.x;
        float product;
        if (productX < 0.01) {
            product = 0.0;
        } else {
            product = productX > 1.01 ? 1.0 : productX * productX * (3.0 - productX * 2.0);
        }
        vec3 colorValue2 = product * inColor.zyx;
        bool isBelow = product < 0.511;
        colorValue = vec4(
            isBelow ? inColor.xy : colorValue2.xy,
            isBelow ? inColor.z : colorValue2.z,
            product > 0.0 ? inColor.w : 0.25
        );
    }
    color = colorValue;
    gl_Position = mvp * inPosition;
}
