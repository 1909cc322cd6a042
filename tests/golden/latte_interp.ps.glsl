#version 330
// latte_interp.ps.bin: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero.

in vec4 param0;
in vec4 param1;
flat in ivec4 param2;
in vec4 param3;

out vec4 color0;

void main() {
    color0 = vec4(param2) + param3 + param0 + param1.xyxy;
}
