#version 100
// mali_v22_cross_reflect.vert.mbs#vert: vertex program, mali-gp
// Assumed: the position is what the viewport transform at the end was applied to; the terms of a
// dot product may be added in any order.

uniform vec3 u_e;

attribute vec4 a_pos;
attribute vec3 a_n;

varying vec3 v_r;

void main() {
    gl_Position = a_pos;
    v_r = a_n.yzx * u_e.zxy + reflect(u_e - a_pos.xyz, a_n) - a_n.zxy * u_e.yzx;
}
