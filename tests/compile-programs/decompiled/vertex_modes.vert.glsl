#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 fill;
};

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_color;
layout(location = 2) in vec4 in_mode;

layout(location = 1) out vec4 color;

void main() {
    float difference = floor(max(0.0, in_mode.x)) - floor(max(0.0, -in_mode.x));
    vec4 colorValue;
    if (difference == 0.0) {
        colorValue = in_color;
    } else if (difference == 1.0 || difference == 2.0) {
        vec4 colorValue2 = fill * in_color;
        colorValue = vec4(colorValue2.xyz, in_mode.x > 1.5 ? 1.0 : colorValue2.w);
    } else {
        colorValue = difference == 3.0 ? fill : vec4(1.0, 0.0, 1.0, 1.0);
    }
    gl_Position = mvp * in_position;
    color = colorValue;
}
