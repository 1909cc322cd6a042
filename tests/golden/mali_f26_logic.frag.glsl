#version 100
// mali_f26_logic.frag.mbs#frag: fragment program, mali-pp
// Assumed: no NaN is compared; no operand of mod, sign or step is NaN or infinite.

precision mediump float;

varying vec4 v_c;

void main() {
    bool isAbove = v_c.x > 0.5;
    bool isBelow = v_c.y < 0.25;
    gl_FragColor = vec4(
        vec3(bvec3(
            (isAbove && v_c.y >= 0.25) || v_c.z == 0.0,
            isAbove || isBelow,
            isAbove ^^ isBelow
        )),
        1.0
    );
}
