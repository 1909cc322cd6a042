#version 330
// latte_vs_mvp.vs.bin: vertex program, latte
// Assumed:
// - no number is so small that the machine takes it for zero
// - the terms of a dot product may be added in any order
// - vectors that are normalized are not zero

layout(std140) uniform cb0 {
    vec4 cb0_data[15];
};

layout(location = 0) in vec4 attribute0;
layout(location = 1) in vec4 attribute1;
layout(location = 2) in vec4 attribute2;

out vec4 param0;
out vec4 param1;

void main() {
    param1 = vec4(0.0);
    vec2 v0 = cb0_data[0].xy * attribute0.x
        + cb0_data[1].xy * attribute0.y
        + cb0_data[2].xy * attribute0.z
        + cb0_data[3].xy * attribute0.w;
    vec2 v1 = (cb0_data[0].zw * attribute0.x
        + cb0_data[1].zw * attribute0.y
        + cb0_data[2].zw * attribute0.z).yx
        + cb0_data[3].wz * attribute0.w;
    vec4 v2 = ((cb0_data[4].zwxy * v0.x + cb0_data[5].zwxy * v0.y).wxyz
        + cb0_data[6].yzwx * v1.y).wxyz
        + cb0_data[7] * v1.x;
    gl_Position = cb0_data[8] * v2.x
        + cb0_data[9] * v2.y
        + cb0_data[10] * v2.z
        + cb0_data[11] * v2.w;
    param0 = vec4(attribute2.xy, v0);
    param1.xyz = normalize(cb0_data[12].xyz * attribute1.x
        + cb0_data[13].xyz * attribute1.y
        + cb0_data[14].xyz * attribute1.z);
}
