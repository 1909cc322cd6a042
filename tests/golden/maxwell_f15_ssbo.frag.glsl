#version 450
// maxwell_f15_ssbo.frag.dksh#0/fragment: fragment program, maxwell
// Assumed:
// - w of positions is not zero
// - addresses stay inside of what they address

layout(early_fragment_tests) in;

layout(std430, binding = 0) buffer Buffer0 {
    uint buffer0[];
};

layout(std430, binding = 1) buffer Buffer1 {
    int buffer1[];
};

layout(location = 0) in vec4 input0;

layout(location = 0) out vec4 color0;

void main() {
    uint u0 = atomicAdd(buffer0[0], 1u);
    if (u0 < 1024u) {
        buffer0[int(u0) * 4 + 4] = floatBitsToUint(input0.x);
        buffer0[int(u0) * 4 + 5] = floatBitsToUint(input0.y);
        buffer0[int(u0) * 4 + 6] = floatBitsToUint(input0.z);
        buffer0[int(u0) * 4 + 7] = floatBitsToUint(input0.w);
    }
    atomicMax(buffer1[0], int(u0));
    int n0 = atomicExchange(buffer1[(int(u0) & 7) + 1], int(u0));
    atomicCompSwap(buffer1[9], int(u0), n0);
    atomicXor(buffer1[10], int(u0));
    n0 &= 15;
    color0 = vec4(
        uintBitsToFloat(buffer0[n0 * 4 + 4]),
        uintBitsToFloat(buffer0[n0 * 4 + 5]),
        uintBitsToFloat(buffer0[n0 * 4 + 6]),
        uintBitsToFloat(buffer0[n0 * 4 + 7])
    );
}
