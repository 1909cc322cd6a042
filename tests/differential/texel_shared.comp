#version 460
// A texel of integers that passes through the memory of a work group.
// lacks: floatBitsTo
// lacks: BitsToFloat
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Out { int d0[]; };
layout(binding = 0) uniform isampler1D t0;
shared int words[4];

void main() {
    words[gl_LocalInvocationIndex] = texelFetch(t0, int(gl_LocalInvocationIndex & 1u), 0).x;
    barrier();
    d0[gl_GlobalInvocationID.x] = words[gl_LocalInvocationIndex ^ 1u] * 3 + words[0];
}
