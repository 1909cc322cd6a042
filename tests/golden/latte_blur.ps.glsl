#version 330
// latte_blur.ps.bin: fragment program, latte
// Assumed:
// - no number is so small that the machine takes it for zero

layout(std140) uniform cb0 {
    vec4 cb0_data[1];
};

uniform sampler2D s;

in vec4 param0;

layout(location = 0) out vec4 color0;

void main() {
    vec2 v2 = cb0_data[0].xy * 2.0;
    vec2 v1 = cb0_data[0].xy * 3.0;
    vec2 v0 = cb0_data[0].xy * 4.0;
    vec4 v4 = texture(s, param0.xy) * 0.227
        + texture(s, param0.xy + cb0_data[0].xy) * 0.194
        + texture(s, param0.xy - cb0_data[0].xy) * 0.194
        + texture(s, v2 + param0.xy) * 0.121
        + texture(s, param0.xy - v2) * 0.121;
    vec4 v3 = texture(s, v1 + param0.xy) * 0.054
        + v4
        + texture(s, param0.xy - v1) * 0.054
        + texture(s, v0 + param0.xy) * 0.016
        + texture(s, param0.xy - v0) * 0.016;
    color0 = v3;
}
