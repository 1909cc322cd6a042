#version 460
// The constant by which slopes in y are multiplied is 1 here.
// has: dFdy(
layout(location = 0) in vec2 i0;
layout(location = 0) out vec2 o0;

void main() {
    o0 = dFdyFine(i0 * i0) + dFdy(gl_FragCoord.xy);
}
