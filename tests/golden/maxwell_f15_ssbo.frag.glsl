#version 450
// maxwell_f15_ssbo.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: w of positions is not zero; addresses stay inside of what they address.

layout(early_fragment_tests) in;

layout(std430, binding = 0) buffer Buffer0 {
    uint buffer0_count;
    vec4 buffer0[];
};

layout(std430, binding = 1) buffer Buffer1 {
    int buffer1_value;
    uint buffer1[];
};

layout(location = 0) in vec4 varying0;

layout(location = 0) out vec4 color0;

void main() {
    uint bits = atomicAdd(buffer0_count, 1u);
    if (bits < 1024u) {
        buffer0[int(bits)] = varying0;
    }
    atomicMax(buffer1_value, int(bits));
    uint bits2 = atomicExchange(buffer1[int(bits) & 7], bits);
    atomicCompSwap(buffer1[8], bits, bits2);
    atomicXor(buffer1[9], bits);
    color0 = buffer0[int(bits2) & 15];
}
