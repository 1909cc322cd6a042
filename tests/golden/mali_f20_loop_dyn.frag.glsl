#version 100
// mali_f20_loop_dyn.frag.mbs#frag: fragment program, mali-pp
// Assumed: the sign of a zero does not matter, and no NaN is compared.

precision mediump float;

uniform float u_n;

varying vec2 v_uv;

void main() {
    float sum = 0.0;
    vec2 colorValue = v_uv;
    while (sum < 64.0) {
        if (sum >= u_n) {
            break;
        }
        sum += 1.0;
        colorValue = vec2(
            colorValue.x * colorValue.x - colorValue.y * colorValue.y,
            2.0 * colorValue.x * colorValue.y
        ) + v_uv;
    }
    gl_FragColor = vec4(colorValue, sum * 0.015625, 1.0);
}
