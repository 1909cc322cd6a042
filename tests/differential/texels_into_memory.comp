#version 460
// Texels that only move to memory.
// lacks: BitsTo
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Store0 {
    ivec4 d0[];
} s0;
layout(binding = 0) uniform isampler2D t0;

void main() {
    ivec4 texel = texelFetch(t0, ivec2(gl_LocalInvocationIndex & 7u, 1), 1);
    s0.d0[gl_WorkGroupID.x * 8u + gl_LocalInvocationIndex] = texelFetch(t0, ivec2(texel.x & 3, texel.y & 3), 2).wwyy;
}
