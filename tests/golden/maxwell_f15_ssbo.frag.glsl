#version 450
// maxwell_f15_ssbo.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: w of positions is not zero; addresses stay inside of what they address.

layout(early_fragment_tests) in;

layout(std430, binding = 0) buffer Buffer0 {
    uint buffer0[];
};

layout(std430, binding = 1) buffer Buffer1 {
    int buffer1[];
};

layout(location = 0) in vec4 varying0;

layout(location = 0) out vec4 color0;

void main() {
    uint bits = atomicAdd(buffer0[0], 1u);
    if (bits < 1024u) {
        buffer0[int(bits) * 4 + 4] = floatBitsToUint(varying0.x);
        buffer0[int(bits) * 4 + 5] = floatBitsToUint(varying0.y);
        buffer0[int(bits) * 4 + 6] = floatBitsToUint(varying0.z);
        buffer0[int(bits) * 4 + 7] = floatBitsToUint(varying0.w);
    }
    atomicMax(buffer1[0], int(bits));
    int index = atomicExchange(buffer1[(int(bits) & 7) + 1], int(bits));
    atomicCompSwap(buffer1[9], int(bits), index);
    atomicXor(buffer1[10], int(bits));
    index &= 15;
    color0 = vec4(
        uintBitsToFloat(buffer0[index * 4 + 4]),
        uintBitsToFloat(buffer0[index * 4 + 5]),
        uintBitsToFloat(buffer0[index * 4 + 6]),
        uintBitsToFloat(buffer0[index * 4 + 7])
    );
}
