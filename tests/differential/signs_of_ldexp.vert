#version 460
// What becomes too small by ldexp() is a zero to the machine.
// has: sign(
layout(location = 0) in vec4 i0;
layout(location = 1) in vec4 i1;
layout(location = 0) out vec4 o0;

void main() {
    gl_Position = i1;
    o0 = sign(ldexp(i0, ivec4(-3))) + i1;
}
