#version 450
// maxwell_s_lut_struct.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: no number is so small that the machine takes it for zero; indices of relative addressing
// stay inside what they address; a dynamic index stays inside of the array it starts in.

layout(location = 0) flat in int varying0;

layout(location = 0) out vec4 color0;
layout(location = 1) out ivec4 color1;

const ivec2 table[4] = ivec2[](
    ivec2(-1, 0),
    ivec2(1, 0),
    ivec2(0, -1),
    ivec2(0, 1)
);
const vec3 table1[2] = vec3[](
    vec3(1.0, 2.0, 3.0),
    vec3(4.0, 5.0, 6.0)
);
const float table2[2] = float[](
    0.5,
    0.25
);
const int table3[2] = int[](
    -4,
    9
);

void main() {
    int index = varying0 & 1;
    color0 = vec4(table1[index] * table2[index], 0.0);
    color1 = ivec4(table[varying0 & 3], table3[index], varying0);
}
