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
    vec4 v0 = vec4(d, -d) * vec4(4.0, 4.0, 4.0, 3.0) + v_param_0.xyxy;
    vec4 v1 = vec4(d, -d) * vec4(3.0, 3.0, 3.0, 2.0) + v_param_0.xyxy;
    vec3 v2 = vec3(d, -d.x) * 2.0 + v_param_0.xyx;
    vec4 v3 = texture(texture18, vec2(v2.z, v1.w)) * 0.121
        + (texture(texture18, v2.xy) * 0.121
            + (texture(texture18, v_param_0.xy - d) * 0.194
                + (texture(texture18, v_param_0.xy) * 0.227
                    + (texture(texture18, v_param_0.xy + d).wzyx * 0.194).wzyx)));
    color0 = texture(texture18, vec2(v0.z, -d.y * 4.0 + v_param_0.y)) * 0.016
        + (texture(texture18, v0.xy) * 0.016
            + (texture(texture18, vec2(v1.z, v0.w)) * 0.054
                + (texture(texture18, v1.xy) * 0.054 + v3)));
}
