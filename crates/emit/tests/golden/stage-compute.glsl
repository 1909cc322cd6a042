#version 450

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

shared float shared_words[64];

layout(std430, binding = 1) coherent buffer values {
    float values_values[];
};

layout(std430, binding = 2) coherent buffer Buffer2 {
    uint buffer2[];
};

layout(binding = 0, rgba8) uniform readonly image2D picture;
layout(binding = 1) uniform writeonly image2D target;
layout(binding = 2, r32ui) uniform uimage3D counts;
layout(binding = 3, r32i) uniform iimageBuffer list;

void main() {
    float f0 = values_values[int(gl_GlobalInvocationID.x)] * 2.0;
    shared_words[int(gl_LocalInvocationIndex)] = f0;
    groupMemoryBarrier();
    barrier();
    values_values[int(gl_WorkGroupID.x)] = shared_words[3];
    atomicAdd(buffer2[5], gl_LocalInvocationIndex);
    atomicMax(buffer2[5], gl_LocalInvocationIndex);
    uint u0 = buffer2[5];
    while (true) {
        uint u1 = atomicCompSwap(buffer2[5], u0, uint(min(int(u0), int(gl_LocalInvocationIndex))));
        if (u1 == u0) {
            break;
        }
        u0 = u1;
    }
    atomicXor(buffer2[5], gl_LocalInvocationIndex);
    atomicExchange(buffer2[5], gl_LocalInvocationIndex);
    uint u2 = atomicCompSwap(buffer2[6], gl_LocalInvocationIndex, 1u);
    uint u3 = buffer2[6];
    uint u4;
    while (true) {
        u4 = atomicCompSwap(buffer2[6], u3, u3 == 0u || u2 < u3 ? u2 : u3 - 1u);
        if (u4 == u3) {
            break;
        }
        u3 = u4;
    }
    uint u5 = buffer2[9];
    while (true) {
        uint u6 = atomicCompSwap(buffer2[9], u5, floatBitsToUint(uintBitsToFloat(u5) + f0));
        if (u6 == u5) {
            break;
        }
        u5 = u6;
    }
    ivec4 n0 = ivec4(imageSize(picture), 0, 0);
    imageStore(target, ivec2(int(gl_LocalInvocationIndex), n0.y), imageLoad(picture, ivec2(
        int(gl_LocalInvocationIndex),
        int(u4)
    )));
    uint u7 = imageAtomicCompSwap(counts, ivec3(gl_NumWorkGroups), 1u, gl_LocalInvocationIndex);
    imageAtomicMin(list, int(u7), n0.x);
}
