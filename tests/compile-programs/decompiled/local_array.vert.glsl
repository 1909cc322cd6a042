#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand
// of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 amount;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inSamples;

layout(location = 0) out vec4 color;

void main() {
    vec4 colorValue = vec4(0.0);
    float value = 0.0;
    for (int i = 0; i < 4; i++) {
        float shifted = value + 1.0;
        float shifted2 = value + 2.0;
        float blend = mix(
            shifted < 4.0
                ? (shifted < 3.0 ? (shifted < 2.0 ? inSamples.x : inSamples.y) : inSamples.z)
                : inSamples.w,
            ((value < 3.0 ? (value < 2.0 ? inSamples.x : inSamples.y) : inSamples.z)
                + (shifted2 < 5.0
                    ? (shifted2 < 4.0 ? (shifted2 < 3.0 ? inSamples.y : inSamples.z) : inSamples.w)
                    : inSamples.w))
                * 0.5,
            amount.x * 0.25 + 0.5
        );
        colorValue = mix(
            colorValue,
            vec4(blend),
            bvec4(value == 2.0, equal(vec2(value), vec2(0.0, 1.0)).yx, value == 3.0)
        );
        value = shifted;
    }
    color = colorValue.zyxw;
    gl_Position = mvp * inPosition;
}
