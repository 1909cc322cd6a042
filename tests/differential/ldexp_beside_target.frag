#version 460
// Registers behind a target of integers that are steps of a product with a power of two.
// lacks: floatBitsTo
// lacks: BitsToFloat
layout(location = 0) in vec3 i0;
layout(location = 0) out vec3 o0;
layout(location = 1) out uvec2 o1;
layout(std140, binding = 0) uniform Block { uvec4 number; };

void main() {
    o0 = log(abs(ldexp(i0.xyz + i0.zzz, ivec3(1))) + 0.25);
    o1 = bitfieldReverse(number.xy & 0xFFFFu);
}
