#version 460
// Bits that are none, as only looking at bits shows.
// has: color0 = vec4(0.0)
layout(location = 0) in vec4 i0;
layout(location = 0) out vec4 o0;

void main() {
    o0 = dFdy(vec4(((uvec4(255u, 1000u, 5u, 5u) + uvec4(uint(abs(i0.z)))) << 4u) & 15u));
}
