#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 colors[6];
    vec4 split;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inKey;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    vec4 colorValue;
    float value;
    if (inKey.x > split.x + 0.00069999695) {
        if (inKey.y > split.y + 0.00069999695) {
            colorValue = colors[2] * 0.5;
            if (inKey.z > split.z + 0.00069999695) {
                value = 3.0;
                colorValue = inKey.x + inKey.y > 2.0007
                    ? colors[3]
                    : vec4(colors[4].zw, colorValue.zw);
            } else {
                value = 2.0;
            }
        } else if (inKey.z < -1.0007) {
            value = 1.0;
            colorValue = colors[5] + colors[1];
        } else {
            value = -1.0;
            colorValue = colors[1];
        }
    } else {
        value = 0.0;
        colorValue = colors[0];
    }
    color = colorValue;
    texcoord0 = vec2(value, value * value);
    gl_Position = mvp * inPosition;
}
