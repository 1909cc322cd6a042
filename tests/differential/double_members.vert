#version 460
// Doubles in a block.
// has: double
// lacks: packDouble2x32
layout(std140, binding = 1) uniform Block { dvec4 u0; double u1; };
layout(location = 0) out vec2 o0;

void main() {
    gl_Position = vec4(0.0);
    o0 = vec2(u0.w >= 1.0LF ? 1.0 : 0.5, float(u0.x * u1));
}
