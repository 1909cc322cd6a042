#version 330
// latte_alu_bits.ps.bin: fragment program, latte
// Assumed:
// - no number is so small that the machine takes it for zero

in vec4 param0;
in vec4 param1;

layout(location = 0) out vec4 color0;

void main() {
    ivec4 n0 = floatBitsToInt(param0.yzwx) ^ ivec4(int(0x80000000u));
    color0 = vec4(
        intBitsToFloat(n0.w) + intBitsToFloat(floatBitsToInt(param1.x) & 0x7fffffff),
        intBitsToFloat(n0.xyz) + intBitsToFloat(floatBitsToInt(param1.yzw) & ivec3(0x7fffffff))
    );
}
