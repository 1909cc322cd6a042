#version 100
// mali_v13_step_mix.vert.mbs#vert: vertex program, mali-gp
// Assumed: the position is what the viewport transform at the end was applied to; no operand of
// abs, clamp, mix or fract is NaN or infinite.

uniform vec4 u_e;

attribute vec4 a_pos;

varying vec4 v_c;

void main() {
    gl_Position = a_pos;
    v_c = mix(a_pos, a_pos.yzwx, step(u_e, a_pos));
}
