#version 460
// has: packSnorm4x8(
// hint: i1 bits
layout(location = 0) in vec4 i0;
layout(location = 1) in uvec2 i1;
layout(location = 0) flat out uvec4 o0;

void main() {
    uint carry, high, low;
    gl_Position = vec4(0.0);
    uint sum = uaddCarry(i1.x, i1.y, carry);
    umulExtended(i1.x, i1.y, high, low);
    o0 = uvec4(sum ^ carry, high ^ low, packSnorm4x8((vec4(i1.xyxy & 63u) + 0.25) / 127.0), bitfieldExtract(i1.x, int(i1.y & 15u), 7) + uint(findMSB(i1.y) & 63));
}
