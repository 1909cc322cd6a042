#version 330
// latte_blur.ps.bin: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero.

layout(std140) uniform cb0 {
    vec2 offset;
};

uniform sampler2D s;

in vec4 param0;

out vec4 color0;

void main() {
    vec2 scaled = offset * 2.0;
    vec2 scaled2 = offset * 3.0;
    vec2 scaled3 = offset * 4.0;
    vec4 color = texture(s, param0.xy) * 0.227
        + texture(s, param0.xy + offset) * 0.194
        + texture(s, param0.xy - offset) * 0.194
        + texture(s, scaled + param0.xy) * 0.121
        + texture(s, param0.xy - scaled) * 0.121;
    vec4 color2 = texture(s, scaled2 + param0.xy) * 0.054
        + color
        + texture(s, param0.xy - scaled2) * 0.054
        + texture(s, scaled3 + param0.xy) * 0.016
        + texture(s, param0.xy - scaled3) * 0.016;
    color0 = color2;
}
