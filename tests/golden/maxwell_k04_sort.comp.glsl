#version 450
// maxwell_k04_sort.comp.dksh#0/compute: compute program, maxwell
// Assumed: addresses stay inside of what they address.

layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;

shared int shared_words[64];

layout(std430, binding = 0) coherent buffer Buffer0 {
    int buffer0[];
};

void main() {
    int bits = ((int(gl_WorkGroupID.x) << 6) + int(gl_LocalInvocationID.x)) & 0x3fffffff;
    shared_words[int(gl_LocalInvocationID.x)] = buffer0[bits];
    barrier();
    uint bits2 = 2u;
    while (bits2 <= 64u) {
        uint bits3 = bits2 >> 1;
        while (bits3 > 0u) {
            uint bits4 = gl_LocalInvocationID.x ^ bits3;
            if (bits4 > gl_LocalInvocationID.x) {
                int number = shared_words[int(gl_LocalInvocationID.x)];
                int number2 = shared_words[int(bits4)];
                if ((number2 < number) == ((gl_LocalInvocationID.x & bits2) == 0u)) {
                    shared_words[int(gl_LocalInvocationID.x)] = number2;
                    shared_words[int(bits4)] = number;
                }
            }
            barrier();
            bits3 >>= 1;
        }
        bits2 <<= 1;
    }
    buffer0[bits] = shared_words[int(gl_LocalInvocationID.x)];
}
