#version 330
// blur.gsh#vertex0: vertex program, latte

layout(location = 0) in vec4 aPos;
layout(location = 1) in vec4 aA;

out vec4 v_param_0;

void main() {
    v_param_0 = vec4(aA.xy, 0.0, 0.0);
    gl_Position = aPos;
}

#version 330
// blur.gsh#pixel0: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero.

layout(std140) uniform Globals {
    vec2 d;
};

uniform sampler2D texture18;
uniform sampler2D s;

in vec4 v_param_0;

out vec4 color0;

void main() {
    vec2 scaled = d * 4.0;
    vec2 scaled2 = d * 3.0;
    vec2 scaled3 = d * 2.0;
    vec4 color = texture(texture18, v_param_0.xy) * 0.227
        + texture(texture18, v_param_0.xy + d) * 0.194
        + texture(texture18, v_param_0.xy - d) * 0.194
        + texture(texture18, scaled3 + v_param_0.xy) * 0.121
        + texture(texture18, v_param_0.xy - scaled3) * 0.121;
    vec4 color2 = texture(texture18, scaled2 + v_param_0.xy) * 0.054
        + color
        + texture(texture18, v_param_0.xy - scaled2) * 0.054
        + texture(texture18, scaled + v_param_0.xy) * 0.016
        + texture(texture18, v_param_0.xy - scaled) * 0.016;
    color0 = color2;
}
