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
    vec4 v0 = cb0_data[3].wxyz * attribute0.w
        + (cb0_data[2] * attribute0.z
            + (cb0_data[0].yzwx * attribute0.x + cb0_data[1].yzwx * attribute0.y).wxyz).wxyz;
    vec4 v1 = cb0_data[7] * v0.x
        + (cb0_data[6].yzwx * v0.w + (cb0_data[4].zwxy * v0.y + cb0_data[5].zwxy * v0.z).wxyz).wxyz;
    vec2 v2 = vec2(cb0_data[13].y, cb0_data[12].x) * attribute1.yx;
    vec2 v3 = vec2(cb0_data[12].y, cb0_data[13].z) * attribute1.xy;
    vec3 v4 = vec3(cb0_data[14].y, cb0_data[12].z, cb0_data[14].x) * attribute1.zxz
        + vec3(v3.x + v2.x, v3.y, v2.y + cb0_data[13].x * attribute1.y);
    vec3 v5 = vec3(cb0_data[14].z, cb0_data[9].yx) * vec3(attribute1.z, v1.yy);
    vec4 v6 = vec4(cb0_data[9].zw, cb0_data[8].xy) * v1.yyxx;
    vec4 v7 = vec4(cb0_data[11].xy, cb0_data[10].zw) * v1.wwzz
        + (vec4(cb0_data[8].zw, cb0_data[10].yx) * v1.xxzz + vec4(v6.xy, (v6.zw + v5.zy).yx)).wzxy;
    gl_Position = vec4(v7.xy, cb0_data[11].z * v1.w + v7.z, cb0_data[11].w * v1.w + v7.w);
    param0 = vec4(attribute2.xy, v0.yz);
    param1.xyz = normalize(vec3(v4.zx, v5.x + v4.y));
}
