#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand of abs,
// clamp, mix or fract is NaN or infinite; constants in the code are what shorter numbers of the
// source were rounded to.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 projection;
    vec4 keys[3];
};

layout(location = 0) in vec4 in_center;
layout(location = 1) in vec4 in_corner;
layout(location = 2) in vec4 in_age;

layout(location = 1) out vec4 color;
layout(location = 2) out vec2 texcoord0;

void main() {
    float weight = in_age.x * 2.0;
    vec4 colorValue = in_age.x < 0.4995
        ? mix(keys[0], keys[1], vec4(clamp(weight, 0.0, 1.0)))
        : mix(keys[1], keys[2], vec4(clamp(weight - 1.0, 0.0, 1.0)));
    gl_Position = projection * vec4(
        (smoothstep(0.0, 0.5, in_age.x) * 0.75 + 0.25) * in_corner.xy + in_center.xy,
        in_center.z,
        1.0
    );
    color = vec4(colorValue.xyz, colorValue.w * (1.0 - in_age.x));
    texcoord0 = in_corner.xy;
}
