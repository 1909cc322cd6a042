#version 460
// An array of a few vectors in a thread's own memory.
// lacks: 4096
// hint: number 0 3
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Out { ivec2 d0[]; };
layout(std140, binding = 0) uniform Block { uint number; ivec2 first; };

void main() {
    ivec2 a[4] = ivec2[4](first, ivec2(1, 2), ivec2(3, -4), first.yx);
    a[gl_LocalInvocationIndex & 3u] += ivec2(5);
    d0[gl_GlobalInvocationID.x] = a[number & 3u];
}
