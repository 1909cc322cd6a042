#version 330
// latte_matrix.ps.bin: fragment program, latte
// Assumed:
// - no number is so small that the machine takes it for zero
// - the terms of a dot product may be added in any order

layout(std140) uniform cb0 {
    vec4 cb0_data[9];
};

in vec4 param0;
in vec4 param1;

layout(location = 0) out vec4 color0;

void main() {
    vec2 v22 = vec2(cb0_data[5].x, cb0_data[4].x);
    vec4 v10 = cb0_data[4] * param0.y;
    vec4 v11 = cb0_data[3] * param0.x;
    vec2 v12 = cb0_data[5].xy * param0.z;
    vec2 v13 = cb0_data[5].zw * param0.z;
    vec2 v14 = cb0_data[6].xy * param0.w;
    vec2 v15 = cb0_data[6].zw * param0.w;
    vec2 v16 = cb0_data[1].xy * param1.y;
    vec2 v17 = cb0_data[1].xy * cb0_data[2].z;
    float f0 = cb0_data[6].z * cb0_data[5].y - cb0_data[6].y * cb0_data[5].z;
    float f1 = cb0_data[6].w * cb0_data[5].z - cb0_data[6].z * cb0_data[5].w;
    vec3 v18 = cb0_data[4].wwz * cb0_data[5].yxx;
    float f3 = cb0_data[6].w * cb0_data[4].z - cb0_data[6].z * cb0_data[4].w;
    float f7 = cb0_data[4].z * cb0_data[5].w - cb0_data[4].w * cb0_data[5].z;
    vec2 v8 = cb0_data[4].y * vec2(cb0_data[6].z, cb0_data[5].z)
        - vec2(cb0_data[6].y, cb0_data[5].y) * cb0_data[4].z;
    vec3 v19 = cb0_data[5].wwz * cb0_data[4].xyx;
    vec3 v3 = vec3(v22 * cb0_data[6].w, v19.x)
        - vec3(cb0_data[6].x * vec2(cb0_data[5].w, cb0_data[4].w), v18.y);
    vec3 v9 = vec3(v22 * cb0_data[6].z, v19.z)
        - vec3(cb0_data[6].x * vec2(cb0_data[5].z, cb0_data[4].z), v18.z);
    float f4 = cb0_data[4].w * v9.x + cb0_data[4].x * f1 - cb0_data[4].z * v3.x;
    vec3 v2 = vec3(
        (vec2(cb0_data[4].x, cb0_data[5].y) * cb0_data[6].yw).yx,
        cb0_data[4].x * cb0_data[5].y
    ) - vec3(
            (cb0_data[6].xy * vec2(cb0_data[4].y, cb0_data[5].w)).yx,
            cb0_data[4].y * cb0_data[5].x
        );
    float f2 = cb0_data[4].w * f0 + f1 * cb0_data[4].y - cb0_data[4].z * v2.x;
    float f8 = cb0_data[8].x * param0.y
        + cb0_data[7].x * param0.x
        + cb0_data[2].x * param1.z
        + cb0_data[0].x * param1.x
        + v16.x
        + v14.x
        + v12.x
        + v11.x
        + v10.x
        + dot(param1, cb0_data[3])
        + cb0_data[0].z * (cb0_data[1].x * cb0_data[2].y - cb0_data[2].x * cb0_data[1].y);
    vec2 v5 = vec2(
        f8 + cb0_data[0].x * (v17.y - cb0_data[1].z * cb0_data[2].y),
        param0.y * cb0_data[8].y
            + param0.x * cb0_data[7].y
            + param1.z * cb0_data[2].y
            + param1.x * cb0_data[0].y
            + v16.y
            + v14.y
            + v12.y
            + v11.y
            + v10.y
    ) + vec2(-((v17.x - cb0_data[2].x * cb0_data[1].z) * cb0_data[0].y), dot(param1, cb0_data[4]));
    float f9 = cb0_data[8].z * param0.y
        + cb0_data[7].z * param0.x
        + cb0_data[2].z * param1.z
        + cb0_data[0].z * param1.x
        + cb0_data[1].z * param1.y
        + v15.x
        + v13.x
        + v11.z
        + v10.z
        + dot(param1, cb0_data[5]);
    vec3 v1 = vec3(vec2(cb0_data[5].x, cb0_data[4].y) * cb0_data[6].yw, v19.y)
        - vec3(cb0_data[6].xy * vec2(cb0_data[5].y, cb0_data[4].w), v18.x);
    float f5 = cb0_data[4].x * v2.x + cb0_data[4].w * v1.x - v3.x * cb0_data[4].y;
    float f6 = cb0_data[4].x * f0 + cb0_data[4].z * v1.x - v9.x * cb0_data[4].y;
    vec2 v20 = cb0_data[3].xy * f1;
    vec2 v21 = cb0_data[3].w * v9.xz;
    float f10 = cb0_data[3].z * f5 - cb0_data[3].w * f6 - f4 * cb0_data[3].y + cb0_data[3].x * f2;
    vec4 v6 = vec4(
        f4,
        v20.y + cb0_data[3].w * f0 - cb0_data[3].z * v2.x,
        cb0_data[3].x * f3 + cb0_data[3].w * v9.y - cb0_data[3].z * v3.y,
        f7 * cb0_data[3].y + cb0_data[3].w * v8.y - cb0_data[3].z * v1.z
    ) / f10;
    vec4 v4 = vec4(
        f2,
        v20.x + v21.x - cb0_data[3].z * v3.x,
        f3 * cb0_data[3].y + cb0_data[3].w * v8.x - cb0_data[3].z * v1.y,
        cb0_data[3].x * f7 + v21.y - cb0_data[3].z * v3.z
    ) / f10
        * v5.xyxy
        - v6 * v5.yxyx;
    vec4 v0 = vec4(f5, cb0_data[3].wxx * v1 + cb0_data[3].xww * v2 - cb0_data[3].y * v3) / f10 * f9;
    vec4 v7 = vec4(
        f6,
        cb0_data[3].zxx * vec3(v1.x, v8) + cb0_data[3].xzz * vec3(f0, v2.yz) - cb0_data[3].y * v9
    ) / f10
        * (v10.w + v11.w + v13.y + v15.y + dot(param1, cb0_data[6]));
    color0 = vec4(v0.x, -v0.y, v0.z, -v0.w) + v4 + vec4(-v7.x, v7.y, -v7.z, v7.w);
}
