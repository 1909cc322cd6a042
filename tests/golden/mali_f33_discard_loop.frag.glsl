#version 100
// mali_f33_discard_loop.frag.mbs#frag: fragment program, mali-pp
// Assumed:
// - the sign of a zero does not matter, and no NaN is compared

precision mediump float;

uniform float u_n;

varying vec4 v_c;

void main() {
    float color_value = v_c.x;
    float f0 = 0.0;
    while (true) {
        if (f0 >= 50.0) {
            gl_FragColor = vec4(color_value);
            return;
        }
        if (f0 > u_n) {
            gl_FragColor = vec4(color_value);
            return;
        }
        color_value = color_value * color_value - v_c.y;
        if (color_value > 16.0) {
            break;
        }
        f0 += 1.0;
    }
    discard;
}
