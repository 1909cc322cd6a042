#version 460
// A product with a power of two of what is multiplied by -1.
// lacks: floatBitsTo
// lacks: BitsToFloat
layout(location = 0) in vec4 i0;
layout(location = 0) out vec4 o0;

void main() {
    gl_Position = i0;
    o0 = ldexp(-1.0 * i0, ivec4(2)) + i0.wzyx;
}
