#version 100
// mali_f28_blur9.frag.mbs#frag: fragment program, mali-pp
// Assumed: constants of 16 bits stand for well-known numbers, or the shortest decimals, that give
// them; the sign of a zero does not matter, and no NaN is compared.

precision mediump float;

uniform sampler2D u_t;

varying vec2 v_uv;

void main() {
    vec2 uv = v_uv + vec2(-0.01, 0.01);
    vec2 uv2 = v_uv + vec2(0.01, -0.01);
    vec4 colorValue = texture2D(u_t, v_uv) * 0.25
        + texture2D(u_t, vec2(uv2.x, v_uv.y)) * 0.125
        + texture2D(u_t, vec2(uv.x, v_uv.y)) * 0.125
        + texture2D(u_t, vec2(v_uv.x, uv.y)) * 0.125
        + texture2D(u_t, vec2(v_uv.x, uv2.y)) * 0.125
        + texture2D(u_t, vec2(uv2.x, uv.y)) * 0.0625;
    gl_FragColor = texture2D(u_t, vec2(uv.x, uv2.y)) * 0.0625
        + colorValue
        + texture2D(u_t, uv2) * 0.0625
        + texture2D(u_t, uv) * 0.0625;
}
