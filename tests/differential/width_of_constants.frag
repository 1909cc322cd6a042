#version 460
// Sums of slopes of a vector that has a constant in it.
// has: fwidth(
layout(location = 0) in vec4 i0;
layout(location = 0) out vec4 o0;

void main() {
    o0 = fwidth(vec4(i0.xyz * i0.xyz, 1.0));
}
