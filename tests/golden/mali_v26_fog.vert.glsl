#version 100
// mali_v26_fog.vert.mbs#vert: vertex program, mali-gp
// Assumed: the position is what the viewport transform at the end was applied to; the terms of a
// dot product may be added in any order; no operand of abs, clamp, mix or fract is NaN or infinite.

uniform mat4 u_mv;
uniform vec2 u_fog;

attribute vec4 a_pos;

varying float v_fog;

void main() {
    vec4 position = u_mv * a_pos;
    gl_Position = position;
    v_fog = clamp(exp2(1.442695 * position.z * u_fog.x) * u_fog.y, 0.0, 1.0);
}
