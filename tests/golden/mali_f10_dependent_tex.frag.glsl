#version 100
// mali_f10_dependent_tex.frag.mbs#frag: fragment program, mali-pp
// Assumed: constants of 16 bits stand for well-known numbers, or the shortest decimals, that give
// them.

precision mediump float;

uniform sampler2D u_a;
uniform sampler2D u_b;

varying vec2 v_uv;

void main() {
    gl_FragColor = texture2D(u_b, texture2D(u_a, v_uv).xy * 0.1 + v_uv);
}
