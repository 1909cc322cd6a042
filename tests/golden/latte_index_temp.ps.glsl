#version 330
// latte_index_temp.ps.bin: fragment program, latte
// Assumed: an index into registers stays inside of the array that the source had; no number is so
// small that the machine takes it for zero; indices of relative addressing stay inside what they
// address.

layout(std140) uniform cb0 {
    ivec3 scale;
};

in vec4 param0;
in vec4 param1;

out vec4 color0;

float registers[24];

void main() {
    registers[0] = param0.x;
    registers[1] = param0.y;
    registers[2] = param0.z;
    registers[3] = param0.w;
    registers[4] = param1.x;
    registers[5] = param1.y;
    registers[6] = param1.z;
    registers[7] = param1.w;
    registers[20] = param0.x - param1.x;
    registers[21] = param0.y - param1.y;
    registers[22] = param0.z - param1.z;
    registers[23] = param0.w - param1.w;
    registers[8] = param0.x * 2.0;
    registers[12] = param1.x * 3.0;
    registers[9] = param0.y * 2.0;
    registers[10] = param0.z * 2.0;
    registers[11] = param0.w * 2.0;
    vec2 scaled = param1.zw * 3.0;
    vec2 sum = param0.xy + param1.xy;
    registers[13] = param1.y * 3.0;
    registers[16] = sum.x;
    registers[17] = sum.y;
    registers[14] = scaled.x;
    registers[15] = scaled.y;
    registers[18] = param0.z + param1.z;
    registers[19] = param0.w + param1.w;
    registers[scale.z * 4] = 9.0;
    registers[scale.z * 4 + 1] = 9.0;
    registers[scale.z * 4 + 2] = 9.0;
    registers[scale.z * 4 + 3] = 9.0;
    color0 = vec4(
        registers[scale.x * 4] + registers[scale.y * 4],
        registers[scale.x * 4 + 1] + registers[scale.y * 4 + 1],
        registers[scale.x * 4 + 2] + registers[scale.y * 4 + 2],
        registers[scale.x * 4 + 3] + registers[scale.y * 4 + 3]
    );
}
