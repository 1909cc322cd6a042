#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared; square roots are
// taken of positive numbers; no operand of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 model_view;
    mat4 projection;
    vec4 fog_color;
    vec4 density;
};

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_color;

layout(location = 1) out vec4 color;

void main() {
    vec4 viewPosition = model_view * in_position;
    gl_Position = projection * viewPosition;
    color = vec4(
        mix(
            fog_color.xyz,
            in_color.xyz,
            vec3(exp2(-(density.x * length(viewPosition.xyz) * 1.442695)))
        ),
        in_color.w
    );
}
