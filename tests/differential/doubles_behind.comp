#version 460
// One double four times, behind an integer; doubles of a block behind an array of integers.
// lacks: packDouble2x32
// lacks: unpackDouble2x32
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Out { uint h0; dvec4 d0[]; };
layout(std140, binding = 0) uniform Block { ivec4 words[2]; dvec2 pair; };

void main() {
    double a = pair.x + pair.y * double(words[gl_LocalInvocationIndex & 1u].x);
    d0[gl_GlobalInvocationID.x] = dvec4(a);
}
