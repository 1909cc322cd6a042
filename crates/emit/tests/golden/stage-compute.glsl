#version 450

layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;

shared float shared_words[64];

layout(std430, binding = 1) coherent buffer values {
    float values_values[];
};

layout(std430, binding = 2) coherent buffer Buffer2 {
    uint padding[5];
    uint buffer2_count5;
    uint buffer2_value6;
    uint padding_2[2];
    uint buffer2_value9;
};

layout(binding = 0, rgba8) uniform readonly image2D picture;
layout(binding = 1) uniform writeonly image2D target;
layout(binding = 2, r32ui) uniform uimage3D counts;
layout(binding = 3, r32i) uniform iimageBuffer list;

void main() {
    float scaled = values_values[int(gl_GlobalInvocationID.x)] * 2.0;
    shared_words[int(gl_LocalInvocationIndex)] = scaled;
    groupMemoryBarrier();
    barrier();
    values_values[int(gl_WorkGroupID.x)] = shared_words[3];
    atomicAdd(buffer2_count5, gl_LocalInvocationIndex);
    atomicMax(buffer2_count5, gl_LocalInvocationIndex);
    uint bits = buffer2_count5;
    while (true) {
        uint bits2 = atomicCompSwap(buffer2_count5, bits, uint(min(
            int(bits),
            int(gl_LocalInvocationIndex)
        )));
        if (bits2 == bits) {
            break;
        }
        bits = bits2;
    }
    atomicXor(buffer2_count5, gl_LocalInvocationIndex);
    atomicExchange(buffer2_count5, gl_LocalInvocationIndex);
    uint bits3 = atomicCompSwap(buffer2_value6, gl_LocalInvocationIndex, 1u);
    uint bits4 = buffer2_value6;
    uint bits5;
    while (true) {
        bits5 = atomicCompSwap(buffer2_value6, bits4, bits4 == 0u || bits3 < bits4
            ? bits3
            : bits4 - 1u);
        if (bits5 == bits4) {
            break;
        }
        bits4 = bits5;
    }
    uint bits6 = buffer2_value9;
    while (true) {
        uint bits7 = atomicCompSwap(buffer2_value9, bits6, floatBitsToUint(uintBitsToFloat(bits6)
            + scaled));
        if (bits7 == bits6) {
            break;
        }
        bits6 = bits7;
    }
    ivec4 size = ivec4(imageSize(picture), 0, 0);
    imageStore(target, ivec2(int(gl_LocalInvocationIndex), size.y), imageLoad(picture, ivec2(
        int(gl_LocalInvocationIndex),
        int(bits5)
    )));
    uint bits8 = imageAtomicCompSwap(counts, ivec3(gl_NumWorkGroups), 1u, gl_LocalInvocationIndex);
    imageAtomicMin(list, int(bits8), size.x);
}
