#version 450
// maxwell_f17_bits.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: no number is so small that the machine takes it for zero.

layout(location = 0) flat in uvec4 varying0;
layout(location = 1) flat in ivec3 varying1;

layout(location = 0) out ivec4 color0;

// The high half of the product.
int mulHigh(int a, int b) {
    int high, low;
    imulExtended(a, b, high, low);
    return high;
}

// The high half of the product.
uint mulHigh(uint a, uint b) {
    uint high, low;
    umulExtended(a, b, high, low);
    return high;
}

void main() {
    uint sum = varying0.x + varying0.y;
    int sum2 = (int(bitfieldInsert(varying0.x, varying0.y, 5, 9))
        ^ findMSB(varying1.x)
        ^ findLSB(varying0.w))
        + bitfieldExtract(varying1.z, 4, 12);
    uint shiftY = varying0.y & 31u;
    uint shift = 0u - shiftY + 32u;
    uint bits = ((mulHigh(varying0.x, varying0.y) ^ (varying0.x * varying0.y))
        + packHalf2x16(vec2(float(varying0.x), float(varying0.y))))
        ^ (varying0.z - varying0.w + uint(varying0.z < varying0.w));
    color0 = ivec4(
        ((int(bitfieldExtract(varying0.x, 3, 7))
            + int(bitfieldReverse(varying0.y))
            + bitCount(varying0.z)
            + (varying1.x * varying1.y + mulHigh(varying1.x, varying1.y)))
            & ~int(varying0.w))
            | (int(varying0.z) ^ sum2),
        sum2,
        int((sum + uint(sum < varying0.x))
            ^ ((varying0.x << shiftY) | (shift < 32u ? varying0.x >> shift : 0u))),
        int(bits)
    );
}
