#version 450
// maxwell_f17_bits.frag.dksh#0/fragment: fragment program, maxwell
// Assumed:
// - no number is so small that the machine takes it for zero

layout(location = 0) flat in uvec4 input0;
layout(location = 1) flat in ivec3 input1;

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
    int n0 = findMSB(bitfieldReverse(input0.w));
    uint u0 = input0.x + input0.y;
    int n1 = (int(bitfieldInsert(input0.x, input0.y, 5, 9))
        ^ findMSB(input1.x)
        ^ (n0 == -1 ? -1 : 31 - n0))
        + bitfieldExtract(input1.z, 4, 12);
    uint u1 = input0.y & 31u;
    uint u2 = 0u - u1 + 32u;
    color0 = ivec4(
        ((int(bitfieldExtract(input0.x, 3, 7))
            + int(bitfieldReverse(input0.y))
            + bitCount(input0.z)
            + (input1.x * input1.y + mulHigh(input1.x, input1.y)))
            & ~int(input0.w))
            | (int(input0.z) ^ n1),
        n1,
        int((u0 + uint(u0 < input0.x))
            ^ ((u1 < 32u ? input0.x << u1 : 0u) | (u2 < 32u ? input0.x >> u2 : 0u))),
        int(((mulHigh(input0.x, input0.y) ^ (input0.x * input0.y))
            + packHalf2x16(vec2(float(input0.x), float(input0.y))))
            ^ (input0.z - input0.w + uint(input0.z < input0.w)))
    );
}
