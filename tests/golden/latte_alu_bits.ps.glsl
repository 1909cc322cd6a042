#version 330
// latte_alu_bits.ps.bin: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero.

in vec4 param0;
in vec4 param1;

out vec4 color0;

void main() {
    color0 = intBitsToFloat(floatBitsToInt(param0) ^ ivec4(int(0x80000000u)))
        + intBitsToFloat(floatBitsToInt(param1) & ivec4(0x7fffffff));
}
