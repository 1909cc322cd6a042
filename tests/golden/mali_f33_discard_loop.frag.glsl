#version 100
// mali_f33_discard_loop.frag.mbs#frag: fragment program, mali-pp
// Assumed: the sign of a zero does not matter, and no NaN is compared.

precision mediump float;

uniform float u_n;

varying vec4 v_c;

void main() {
    float colorValue = v_c.x;
    for (float i = 0.0; i < 50.0; i += 1.0) {
        if (i > u_n) {
            break;
        }
        colorValue = colorValue * colorValue - v_c.y;
        if (colorValue > 16.0) {
            discard;
        }
    }
    gl_FragColor = vec4(colorValue);
}
