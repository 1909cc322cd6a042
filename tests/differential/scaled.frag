#version 460
// A power of two by its exponent.
// has: * 0.25
// lacks: bitfieldInsert
layout(location = 0) in vec3 i0;
layout(location = 0) out vec2 o0;

void main() {
    o0 = ldexp(i0.xy, ivec2(-2));
}
