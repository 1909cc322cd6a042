#version 100
// lambert.vert.mbs#vert: vertex program, mali-gp
// Assumed: the position is what the viewport transform at the end was applied to; the terms of a
// dot product may be added in any order; vectors that are normalized are not zero.

uniform mat4 u_mvp;
uniform mat3 u_nm;
uniform vec3 u_ldir;

attribute vec4 a_pos;
attribute vec3 a_nrm;

varying float v_l;

void main() {
    gl_Position = u_mvp * a_pos;
    v_l = max(dot(normalize(u_nm * a_nrm), u_ldir), 0.0);
}
