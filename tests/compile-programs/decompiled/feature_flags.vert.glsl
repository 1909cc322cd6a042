#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand
// of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 fog_color;
    vec4 tint;
    bool use_fog;
    bool use_tint;
};

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_color;

layout(location = 1) out vec4 color;

void main() {
    float projection = dot(transpose(mvp)[3], in_position);
    vec4 colorValue = use_tint ? tint * in_color : in_color;
    vec4 colorValue2;
    if (use_fog) {
        colorValue2 = mix(colorValue, fog_color, vec4(clamp(projection * 0.03125, 0.0, 1.0)));
    } else {
        colorValue2 = vec4(colorValue.xyz, 1.0);
    }
    gl_Position = vec4((mvp * in_position).xyz, projection);
    color = colorValue2;
}
