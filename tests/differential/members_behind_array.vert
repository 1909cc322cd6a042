#version 460
// What stands behind an array of another kind is no element of it.
// lacks: BitsTo
// lacks: floatBits
// hint: i1 0 2
layout(std140, binding = 0) uniform Block { uvec2 list[3]; vec4 scale; ivec2 numbers[2]; float last; };
layout(location = 0) in vec4 i0;
layout(location = 1) in int i1;
layout(location = 0) flat out uvec2 o0;
layout(location = 1) flat out ivec2 o1;

void main() {
    gl_Position = i0 * scale + last;
    o0 = list[i1] + 1u;
    o1 = numbers[i1 & 1] - 3;
}
