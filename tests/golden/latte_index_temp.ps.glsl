#version 330
// latte_index_temp.ps.bin: fragment program, latte
// Assumed:
// - an index into registers stays inside of the array that the source had
// - no number is so small that the machine takes it for zero

layout(std140) uniform cb0 {
    vec4 cb0_data[1];
};

in vec4 param0;
in vec4 param1;
in vec4 param2;
in vec4 param3;
in vec4 param4;
in vec4 param5;
in vec4 param6;
in vec4 param7;

layout(location = 0) out vec4 color0;

uint registers[24];

void main() {
    for (int i = 0; i < 24; i++) {
        registers[i] = 0u;
    }
    registers[0] = floatBitsToUint(param2.x);
    registers[1] = floatBitsToUint(param2.y);
    registers[2] = floatBitsToUint(param2.z);
    registers[3] = floatBitsToUint(param2.w);
    registers[4] = floatBitsToUint(param3.x);
    registers[5] = floatBitsToUint(param3.y);
    registers[6] = floatBitsToUint(param3.z);
    registers[7] = floatBitsToUint(param3.w);
    registers[8] = floatBitsToUint(param4.x);
    registers[9] = floatBitsToUint(param4.y);
    registers[10] = floatBitsToUint(param4.z);
    registers[11] = floatBitsToUint(param4.w);
    registers[12] = floatBitsToUint(param5.x);
    registers[13] = floatBitsToUint(param5.y);
    registers[14] = floatBitsToUint(param5.z);
    registers[15] = floatBitsToUint(param5.w);
    registers[16] = floatBitsToUint(param6.x);
    registers[17] = floatBitsToUint(param6.y);
    registers[18] = floatBitsToUint(param6.z);
    registers[19] = floatBitsToUint(param6.w);
    registers[20] = floatBitsToUint(param7.x);
    registers[21] = floatBitsToUint(param7.y);
    registers[22] = floatBitsToUint(param7.z);
    registers[23] = floatBitsToUint(param7.w);
    registers[0] = floatBitsToUint(param0.x);
    registers[1] = floatBitsToUint(param0.y);
    registers[2] = floatBitsToUint(param0.z);
    registers[3] = floatBitsToUint(param0.w);
    registers[4] = floatBitsToUint(param1.x);
    registers[5] = floatBitsToUint(param1.y);
    registers[6] = floatBitsToUint(param1.z);
    registers[7] = floatBitsToUint(param1.w);
    vec4 v0 = param0 - param1;
    registers[20] = floatBitsToUint(v0.x);
    registers[21] = floatBitsToUint(v0.y);
    registers[22] = floatBitsToUint(v0.z);
    registers[23] = floatBitsToUint(v0.w);
    vec4 v1 = vec4(param1.x, param0.yzw) * vec4(3.0, 2.0, 2.0, 2.0);
    registers[8] = floatBitsToUint(param0.x * 2.0);
    registers[12] = floatBitsToUint(v1.x);
    registers[9] = floatBitsToUint(v1.y);
    registers[10] = floatBitsToUint(v1.z);
    registers[11] = floatBitsToUint(v1.w);
    vec2 v3 = param1.zw * 3.0;
    vec2 v2 = param0.xy + param1.xy;
    registers[13] = floatBitsToUint(param1.y * 3.0);
    registers[16] = floatBitsToUint(v2.x);
    registers[17] = floatBitsToUint(v2.y);
    registers[14] = floatBitsToUint(v3.x);
    registers[15] = floatBitsToUint(v3.y);
    registers[18] = floatBitsToUint(param0.z + param1.z);
    int n0 = min(max(floatBitsToInt(cb0_data[0].z), -256), 255);
    registers[19] = floatBitsToUint(param0.w + param1.w);
    registers[n0 * 4] = 0x41100000u;
    registers[n0 * 4 + 1] = 0x41100000u;
    registers[n0 * 4 + 2] = 0x41100000u;
    registers[n0 * 4 + 3] = 0x41100000u;
    int n1 = min(max(floatBitsToInt(cb0_data[0].y), -256), 255);
    int n2 = min(max(floatBitsToInt(cb0_data[0].x), -256), 255);
    color0 = vec4(
        uintBitsToFloat(registers[n2 * 4]),
        uintBitsToFloat(registers[n2 * 4 + 1]),
        uintBitsToFloat(registers[n2 * 4 + 2]),
        uintBitsToFloat(registers[n2 * 4 + 3])
    ) + vec4(
            uintBitsToFloat(registers[n1 * 4]),
            uintBitsToFloat(registers[n1 * 4 + 1]),
            uintBitsToFloat(registers[n1 * 4 + 2]),
            uintBitsToFloat(registers[n1 * 4 + 3])
        );
}
