#version 100
// mali_v09_sincos.vert.mbs#vert: vertex program, mali-gp
// Assumed: the position is what the viewport transform at the end was applied to; the compiler's
// polynomials stand for sine and cosine, off by up to 0.0011.

uniform float u_t;

attribute vec4 a_pos;

void main() {
    vec2 scaled = a_pos.yx * sin(u_t);
    gl_Position = vec4(a_pos.xy * cos(u_t) + vec2(-scaled.x, scaled.y), a_pos.z, 1.0);
}
