#version 330
// latte_alu_round.ps.bin: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero; the sign of a zero does not
// matter, and no NaN is compared; no operand of abs, clamp, mix or fract is NaN or infinite; no
// operand of mod, sign or step is NaN or infinite.

in vec4 param0;
in vec4 param1;

out vec4 color0;

void main() {
    vec4 sum = ceil(param0) * 2.0
        + floor(param0)
        + trunc(param0) * 3.0
        + roundEven(param0) * 4.0
        + fract(param0)
        + mod(param0, param1)
        + sign(param0);
    color0 = sum + step(param0, param1) + smoothstep(param0, param1, vec4(0.3));
}
