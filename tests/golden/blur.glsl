#version 330
// blur.gsh#vertex0: vertex program, latte

layout(location = 0) in vec4 aPos;
layout(location = 1) in vec4 aA;

out vec4 v_param_0;

void main() {
    v_param_0 = vec4(0.0);
    v_param_0.xy = aA.xy;
    gl_Position = aPos;
}

#version 330
// blur.gsh#pixel0: fragment program, latte
// Assumed:
// - no number is so small that the machine takes it for zero

layout(std140) uniform Globals {
    vec2 d;
};

uniform sampler2D texture18;

in vec4 v_param_0;

layout(location = 0) out vec4 color0;

void main() {
    vec2 v0 = d * 4.0;
    vec2 v1 = d * 3.0;
    vec2 v2 = d * 2.0;
    vec4 v4 = texture(texture18, v_param_0.xy) * 0.227
        + texture(texture18, v_param_0.xy + d) * 0.194
        + texture(texture18, v_param_0.xy - d) * 0.194
        + texture(texture18, v2 + v_param_0.xy) * 0.121
        + texture(texture18, v_param_0.xy - v2) * 0.121;
    vec4 v3 = texture(texture18, v1 + v_param_0.xy) * 0.054
        + v4
        + texture(texture18, v_param_0.xy - v1) * 0.054
        + texture(texture18, v0 + v_param_0.xy) * 0.016
        + texture(texture18, v_param_0.xy - v0) * 0.016;
    color0 = v3;
}
