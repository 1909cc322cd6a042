#version 460
// ldexp() by numbers that are known, which the compiler spells out with the bits of exponents.
// lacks: Bits
// lacks: bitfieldInsert
layout(location = 0) in vec4 i0;
layout(location = 0) out vec3 o0;
layout(location = 1) out float o1;

void main() {
    gl_Position = ldexp(i0, ivec4(2, -3, 0, 1));
    o0 = ldexp(step(vec3(0.25), i0.xyz), ivec3(-2));
    o1 = ldexp(i0.x * i0.x, -1);
}
