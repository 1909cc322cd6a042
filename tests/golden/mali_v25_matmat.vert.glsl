#version 100
// mali_v25_matmat.vert.mbs#vert: vertex program, mali-gp
// Assumed: the position is what the viewport transform at the end was applied to; the terms of a
// dot product may be added in any order.

uniform mat4 u_p;
uniform mat4 u_m;

attribute vec4 a_pos;

void main() {
    gl_Position = u_p * (u_m * a_pos);
}
