#version 460
// Buffers of doubles that are read, written, and read twice.
// lacks: packDouble2x32
// lacks: unpackDouble2x32
// has: double
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Out { double d0[]; };
layout(std430, binding = 1) readonly buffer In { uint h1; double d1[]; };
layout(std140, binding = 0) uniform Block { vec4 scale; };

void main() {
    double a = d1[h1 & 3u];
    double b = a * a + d1[gl_LocalInvocationIndex];
    d0[gl_GlobalInvocationID.x] = max(b, double(scale.x));
}
