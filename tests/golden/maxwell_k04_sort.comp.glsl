#version 450
// maxwell_k04_sort.comp.dksh#0/compute: compute program, maxwell
// Assumed: addresses stay inside of what they address.

layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;

shared int shared_words[64];

layout(std430, binding = 0) coherent buffer Buffer0 {
    int buffer0[];
};

void main() {
    int indexX = int(gl_GlobalInvocationID.x);
    shared_words[int(gl_LocalInvocationID.x)] = buffer0[indexX];
    barrier();
    uint bits = 2u;
    while (bits <= 64u) {
        uint bits2 = bits >> 1;
        while (bits2 > 0u) {
            uint index = gl_LocalInvocationID.x ^ bits2;
            if (index > gl_LocalInvocationID.x) {
                int number = shared_words[int(gl_LocalInvocationID.x)];
                int number2 = shared_words[int(index)];
                if ((number2 < number) == ((gl_LocalInvocationID.x & bits) == 0u)) {
                    shared_words[int(gl_LocalInvocationID.x)] = number2;
                    shared_words[int(index)] = number;
                }
            }
            barrier();
            bits2 >>= 1;
        }
        bits <<= 1;
    }
    buffer0[indexX] = shared_words[int(gl_LocalInvocationID.x)];
}
