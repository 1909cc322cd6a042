#version 460
// Floats and a counter behind them in the memory of a work group.
// lacks: floatBitsTo
// lacks: BitsToFloat
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Out { float d0[]; };
layout(std140, binding = 0) uniform Block { vec4 scale; };
shared vec2 sums[8];
shared uint bits;

void main() {
    sums[gl_LocalInvocationIndex] = vec2(float(gl_LocalInvocationIndex), 1.5) * scale.xy;
    if (gl_LocalInvocationIndex == 0u) {
        bits = 0u;
    }
    barrier();
    atomicOr(bits, 1u << gl_LocalInvocationIndex);
    barrier();
    vec2 other = sums[(gl_LocalInvocationIndex + 3u) & 7u];
    d0[gl_GlobalInvocationID.x] = other.x + other.y * float(bits);
}
