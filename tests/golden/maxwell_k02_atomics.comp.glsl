#version 450
// maxwell_k02_atomics.comp.dksh#0/compute: compute program, maxwell
// Assumed:
// - addresses stay inside of what they address

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

shared int shared_words[320];

layout(std430, binding = 0) coherent buffer Buffer0 {
    int buffer0[];
};

void main() {
    int n0 = (int(gl_LocalInvocationID.y) << 3) + int(gl_LocalInvocationID.x);
    for (int i = n0; uint(i) < 256u; i += 64) {
        shared_words[i] = 0;
    }
    bool c0 = n0 == 0;
    if (c0) {
        shared_words[256] = 0x7fffffff;
    }
    memoryBarrier();
    barrier();
    int n1 = buffer0[int(((((gl_WorkGroupID.y << 3) + gl_LocalInvocationID.y) * gl_NumWorkGroups.x)
        << 3)
        + ((gl_WorkGroupID.x << 3) + gl_LocalInvocationID.x))
        + 258];
    atomicMin(shared_words[256], n1);
    atomicOr(shared_words[3], n1);
    shared_words[5] = n1;
    atomicAdd(shared_words[n1 & 255], 1);
    atomicCompSwap(shared_words[4], n1, n0);
    barrier();
    while (uint(n0) < 256u) {
        atomicAdd(buffer0[n0 & 0x3fffffff], shared_words[n0]);
        n0 += 64;
    }
    if (c0) {
        atomicMin(buffer0[256], shared_words[256]);
        atomicAnd(buffer0[1], n1);
    }
    memoryBarrier();
}
