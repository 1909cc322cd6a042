#version 450
// maxwell_k04_sort.comp.dksh#0/compute: compute program, maxwell
// Assumed:
// - addresses stay inside of what they address

layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;

shared int shared_words[64];

layout(std430, binding = 0) coherent buffer Buffer0 {
    int buffer0[];
};

void main() {
    int n0 = ((int(gl_WorkGroupID.x) << 6) + int(gl_LocalInvocationID.x)) & 0x3fffffff;
    shared_words[int(gl_LocalInvocationID.x)] = buffer0[n0];
    barrier();
    uint u0 = 2u;
    while (u0 <= 64u) {
        uint u1 = u0 >> 1;
        while (u1 > 0u) {
            uint u2 = gl_LocalInvocationID.x ^ u1;
            if (u2 > gl_LocalInvocationID.x) {
                int n1 = shared_words[int(gl_LocalInvocationID.x)];
                int n2 = shared_words[int(u2)];
                if ((n2 < n1) == ((gl_LocalInvocationID.x & u0) == 0u)) {
                    shared_words[int(gl_LocalInvocationID.x)] = n2;
                    shared_words[int(u2)] = n1;
                }
            }
            barrier();
            u1 >>= 1;
        }
        u0 <<= 1;
    }
    buffer0[n0] = shared_words[int(gl_LocalInvocationID.x)];
}
