#version 330
// latte_ubo.ps.bin: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero; indices of relative addressing
// stay inside what they address; the terms of a dot product may be added in any order; a dynamic
// index stays inside of the array it starts in.

layout(std140) uniform cb1 {
    vec4 offset;
    mat4 matrix0;
    vec4 cb1_values5[8];
};

layout(std140) uniform cb2 {
    vec4 cb2_values0[32];
    int index;
};

in vec4 param0;
in vec4 param1;

out vec4 color0;

void main() {
    color0 = matrix0 * param0
        + offset
        + cb2_values0[3]
        + cb1_values5[index & 7]
        + cb2_values0[int(param1.x)];
}
