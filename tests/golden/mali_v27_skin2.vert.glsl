#version 100
// mali_v27_skin2.vert.mbs#vert: vertex program, mali-gp
// Assumed: the position is what the viewport transform at the end was applied to; the terms of a
// dot product may be added in any order.

uniform mat4 u_b0;
uniform mat4 u_b1;

attribute vec4 a_pos;
attribute vec2 a_w;

varying vec4 v_p;

void main() {
    vec4 position = u_b0 * a_pos * a_w.x + u_b1 * a_pos * a_w.y;
    gl_Position = position;
    v_p = position;
}
