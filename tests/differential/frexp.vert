#version 460
// The two numbers of frexp, of one number and of a vector.
// lacks: floatBitsTo
// lacks: BitsToFloat
// has: frexp(
layout(location = 0) in vec4 i0;
layout(location = 0) out vec4 o0;
layout(location = 1) flat out ivec4 o1;

void main() {
    int n;
    ivec2 m;
    float s = frexp(floor(i0.x), n);
    vec2 t = frexp(i0.yz * 37.0, m);
    gl_Position = i0;
    o0 = vec4(s, t, float(n));
    o1 = ivec4(n, m, n + m.x);
}
