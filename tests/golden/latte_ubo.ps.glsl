#version 330
// latte_ubo.ps.bin: fragment program, latte
// Assumed:
// - no number is so small that the machine takes it for zero
// - the terms of a dot product may be added in any order

layout(std140) uniform cb1 {
    vec4 cb1_data[1024];
};

layout(std140) uniform cb2 {
    vec4 cb2_data[1024];
};

in vec4 param0;
in vec4 param1;

layout(location = 0) out vec4 color0;

void main() {
    vec4 v0 = cb1_data[1] * param0.x
        + cb1_data[2] * param0.y
        + cb1_data[3] * param0.z
        + cb1_data[4] * param0.w
        + cb1_data[0]
        + cb2_data[3]
        + cb1_data[int((((floatBitsToUint(cb2_data[32].x) & 7u) << 4) + 80u) >> 4)];
    color0 = v0 + cb2_data[int(param1.x) & 0xfffffff];
}
