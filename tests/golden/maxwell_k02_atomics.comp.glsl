#version 450
// maxwell_k02_atomics.comp.dksh#0/compute: compute program, maxwell
// Assumed: addresses stay inside of what they address.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

shared int shared_words[320];

layout(std430, binding = 0) coherent buffer Buffer0 {
    int buffer0[];
};

void main() {
    int i = (int(gl_LocalInvocationID.y) << 3) + int(gl_LocalInvocationID.x);
    for (int j = i; uint(j) < 256u; j += 64) {
        shared_words[j] = 0;
    }
    bool isZero = i == 0;
    if (isZero) {
        shared_words[256] = 0x7fffffff;
    }
    memoryBarrier();
    barrier();
    int number = buffer0[int(((gl_GlobalInvocationID.y * gl_NumWorkGroups.x) << 3)
        + gl_GlobalInvocationID.x)
        + 258];
    atomicMin(shared_words[256], number);
    atomicOr(shared_words[3], number);
    shared_words[5] = number;
    atomicAdd(shared_words[number & 255], 1);
    atomicCompSwap(shared_words[4], number, i);
    barrier();
    while (uint(i) < 256u) {
        atomicAdd(buffer0[i], shared_words[i]);
        i += 64;
    }
    if (isZero) {
        atomicMin(buffer0[256], shared_words[256]);
        atomicAnd(buffer0[1], number);
    }
    memoryBarrier();
}
