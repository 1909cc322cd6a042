#version 100
// mali_f26_logic.frag.mbs#frag: fragment program, mali-pp
// Assumed:
// - no NaN is compared

precision mediump float;

varying vec4 v_c;

void main() {
    bool c0 = v_c.x > 0.5;
    bool c1 = v_c.y < 0.25;
    gl_FragColor = vec4(
        float((c0 && v_c.y >= 0.25) || v_c.z == 0.0),
        float(c0 || c1),
        float(c0 ^^ c1),
        1.0
    );
}
