#version 100
// mali_f20_loop_dyn.frag.mbs#frag: fragment program, mali-pp
// Assumed:
// - the sign of a zero does not matter, and no NaN is compared

precision mediump float;

uniform float u_n;

varying vec2 v_uv;

void main() {
    float f0 = 0.0;
    vec2 color_value = v_uv;
    while (f0 < 64.0) {
        if (f0 >= u_n) {
            break;
        }
        f0 += 1.0;
        color_value = vec2(
            color_value.x * color_value.x - color_value.y * color_value.y,
            2.0 * color_value.x * color_value.y
        ) + v_uv;
    }
    gl_FragColor = vec4(color_value, f0 * 0.015625, 1.0);
}
