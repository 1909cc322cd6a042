#version 460
// What is left of a number that is not negative.
// has: % 3
// lacks: mulHigh
// hint: i0 bits
layout(location = 0) in ivec2 i0;
layout(location = 0) flat out int o0;

void main() {
    gl_Position = vec4(0.0);
    o0 = (i0.x & 2147483647) % 3;
}
