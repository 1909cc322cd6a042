#version 100
// mali_f28_blur9.frag.mbs#frag: fragment program, mali-pp
// Assumed:
// - constants of 16 bits stand for well-known numbers, or the shortest decimals, that give them
// - the sign of a zero does not matter, and no NaN is compared

precision mediump float;

uniform sampler2D u_t;

varying vec2 v_uv;

void main() {
    vec2 v1 = v_uv + vec2(-0.01, 0.01);
    vec2 v2 = v_uv + vec2(0.01, -0.01);
    vec4 v0 = texture2D(u_t, v_uv) * 0.25
        + texture2D(u_t, vec2(v2.x, v_uv.y)) * 0.125
        + texture2D(u_t, vec2(v1.x, v_uv.y)) * 0.125
        + texture2D(u_t, vec2(v_uv.x, v1.y)) * 0.125
        + texture2D(u_t, vec2(v_uv.x, v2.y)) * 0.125
        + texture2D(u_t, vec2(v2.x, v1.y)) * 0.0625;
    gl_FragColor = texture2D(u_t, vec2(v1.x, v2.y)) * 0.0625
        + v0
        + texture2D(u_t, v2) * 0.0625
        + texture2D(u_t, v1) * 0.0625;
}
