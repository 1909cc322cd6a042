#version 460
// A register that holds an integer where a condition holds, and is not asked for where it does not.
// lacks: BitsTo
// lacks: floatBits
layout(std430, binding = 0) readonly buffer Store0 { ivec4 h0; ivec3 d0[]; } s0;
layout(std430, binding = 1) readonly buffer Store1 { vec2 d1[]; } s1;
layout(location = 2) flat out ivec3 o2;

void main() {
    gl_Position = vec4(0.0);
    o2 = ivec3(1, (((1.0 > s1.d1[1].y) && (uint(abs(s1.d1[1].y)) <= 1u)) ? s0.h0.w : 1), 1);
}
