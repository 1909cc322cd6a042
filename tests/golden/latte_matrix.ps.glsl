#version 330
// latte_matrix.ps.bin: fragment program, latte
// Assumed:
// - no number is so small that the machine takes it for zero

layout(std140) uniform cb0 {
    vec4 cb0_data[9];
};

in vec4 param0;
in vec4 param1;

layout(location = 0) out vec4 color0;

void main() {
    vec4 v0 = cb0_data[3].yzwx * param0.x + cb0_data[4].yzwx * param0.y;
    vec4 v1 = vec4(cb0_data[4].x, cb0_data[5].xyy) * vec4(param1.x, param0.zz, param1.y);
    vec3 v2 = v1.xyz + vec3(cb0_data[4].y * param1.y, v0.wx);
    vec3 v3 = vec3(cb0_data[5].w, cb0_data[3].x, cb0_data[5].z)
        * vec3(param0.z, param1.x, param0.z)
        + vec3(v0.z, cb0_data[3].y * param1.y, v0.y);
    vec4 v4 = vec4(cb0_data[6].y, cb0_data[5].x, cb0_data[6].yx)
        * vec4(param0.w, param1.xy, param0.w);
    vec3 v5 = v4.xyw + vec3(v2.z, v1.w, v2.y);
    vec3 v6 = vec3(cb0_data[6].zw, cb0_data[4].z) * vec3(param0.ww, param1.z) + vec3(v3.zx, v2.x);
    vec3 v7 = vec3(cb0_data[1].xy, cb0_data[3].z) * param1.yyz + vec3(v5.zx, v3.y);
    vec3 v8 = cb0_data[1].z * vec3(cb0_data[2].yx, param1.y);
    vec4 v9 = vec4(cb0_data[5].z, cb0_data[6].yxy)
        * vec4(param1.z, cb0_data[5].w, param1.x, cb0_data[5].z);
    vec2 v10 = v9.xz + vec2(v5.y, v4.z);
    vec2 v11 = cb0_data[1].xy * cb0_data[2].z - v8.yx;
    vec4 v12 = vec4(cb0_data[0].x, cb0_data[4].w, cb0_data[0].yy) * vec4(param1.xwx, v11.x);
    vec3 v13 = v12.xyz + vec3(v7.x, v6.z, v7.y);
    vec4 v14 = vec4(cb0_data[5].yyx, cb0_data[6].z) * vec4(cb0_data[6].wzw, param1.z)
        + vec4(-v9.yw, -(cb0_data[6].x * cb0_data[5].w), v10.y);
    vec3 v15 = vec3(cb0_data[5].w, cb0_data[6].wz) * vec3(param1.ww, cb0_data[5].w);
    vec2 v16 = v15.xy + vec2(v10.x, v14.w);
    vec3 v17 = vec3(cb0_data[1].x, cb0_data[2].xy) * vec3(cb0_data[2].y, param1.zz)
        + vec3(-(cb0_data[1].y * cb0_data[2].x), v13.xz);
    vec2 v18 = vec2(cb0_data[0].z, cb0_data[3].w) * param1.xw + vec2(v8.z + v6.x, v7.z);
    vec3 v19 = vec3(cb0_data[7].x, cb0_data[0].x, cb0_data[7].y) * vec3(param0.x, v11.y, param0.x)
        + vec3(v17.y, -v12.w, v17.z);
    float f0 = cb0_data[5].z * cb0_data[6].w - v15.z;
    vec3 v20 = vec3(cb0_data[6].z, cb0_data[4].zz) * vec3(cb0_data[4].w, v14.xz);
    vec3 v21 = cb0_data[6].xyx * cb0_data[4].wzz;
    vec4 v22 = vec4(cb0_data[4].yx, cb0_data[6].x, cb0_data[4].y)
        * vec4(vec2(f0), cb0_data[4].y, v14.z);
    vec2 v23 = v22.xy - v20.yz;
    vec2 v24 = vec2(cb0_data[5].z, cb0_data[4].w) * vec2(cb0_data[4].w, v14.y);
    float f1 = v24.y + v23.x;
    vec2 v25 = vec2(cb0_data[2].z, cb0_data[0].z) * vec2(param1.z, v17.x) + vec2(v18.x, v19.y);
    float f2 = cb0_data[5].x * cb0_data[6].z - cb0_data[6].x * cb0_data[5].z;
    float f3 = cb0_data[5].x * cb0_data[6].y - cb0_data[6].x * cb0_data[5].y;
    vec3 v26 = vec3(cb0_data[4].x, cb0_data[5].x, cb0_data[4].y) * vec3(v14.x, cb0_data[4].y, f2);
    vec3 v27 = cb0_data[4].zww * vec3(cb0_data[6].w, f2, f3) + vec3(-v20.x, v23.y, v26.x - v22.w);
    vec4 v28 = cb0_data[4].xxxy * vec4(cb0_data[6].wz, v14.y, cb0_data[6].z)
        - vec4(v21.xz, v26.z, v21.y);
    float f4 = cb0_data[4].x * cb0_data[6].y - v22.z;
    vec2 v29 = cb0_data[4].z * vec2(f3, cb0_data[5].w) + vec2(v28.z, -v24.x);
    vec3 v30 = vec3(cb0_data[8].xy, cb0_data[7].z) * param0.yyx + vec3(v19.xz, v25.x);
    vec4 v31 = cb0_data[4].yxyx * cb0_data[5].zwwz - (cb0_data[5].yyxx * cb0_data[4].wzwz).yzxw;
    float f5 = cb0_data[4].x * cb0_data[5].y - v26.y;
    vec2 v32 = vec2(v30.y, v30.x + v18.y) + vec2(v13.y, v25.y);
    vec4 v33 = vec4(cb0_data[8].z, cb0_data[3].zzz) * vec4(param0.y, v14.z, v28.x, v14.x);
    float f6 = cb0_data[4].y * cb0_data[6].w - cb0_data[6].y * cb0_data[4].w;
    vec4 v34 = cb0_data[3].y * vec4(v28.x, v14.z, v31.y, f0);
    vec2 v35 = vec2(cb0_data[3].x * f0, v34.w) - v33.yw;
    vec4 v36 = cb0_data[3].xxxw * vec4(v29.y, v27.x, v14.xy)
        + vec4(-(cb0_data[3].z * v31.y), -v33.z, -v34.y, v35.y);
    vec4 v37 = cb0_data[3].wxxw * vec4(f2, f6, v31.zw) + vec4(v35.x, -v34.xz, v36.x);
    vec4 v38 = cb0_data[3].wzyw * vec4(v28.y, v31.zw, f3);
    vec2 v39 = v38.xw + v36.yz;
    vec4 v40 = cb0_data[3].zxwx * vec4(f6, v14.y, f5, v31.x);
    vec3 v41 = v40.yzw + vec3(-(cb0_data[3].y * f2), v37.z, -v38.z);
    vec4 v42 = cb0_data[3].yywy * vec4(v28.y, v27.x, f4, v29.y);
    vec3 v43 = v42.yzw + vec3(-v40.x, v37.y, -v38.y);
    vec4 v44 = cb0_data[3].zzzw * vec4(f5, f3, v27.z, v31.x)
        + vec4(v41.zx, -(v29.x * cb0_data[3].w), v43.z);
    vec3 v45 = vec3(cb0_data[3].x, -v27.y, cb0_data[3].w) * vec3(v28.w, cb0_data[3].y, v28.w)
        + vec3(-v42.x, v44.z, v43.x);
    vec2 v46 = cb0_data[3].zx * vec2(f4, f1) + v45.xy;
    vec4 v47 = vec4(v45.z, v44.w, f1, v36.w) / v46.y;
    vec4 v48 = vec4(v39.x, v37.w, v27.z, v37.x) / v46.y;
    vec4 v49 = vec4(v43.y, v41.y, v29.x, v44.y) / v46.y;
    color0 = vec4(-v49.z, v49.w, -(v46.x / v46.y), v44.x / v46.y) * (v6.y + v16.y)
        + (vec4(v49.x, -v49.y, v48.z, -(v39.y / v46.y)) * (v33.x + v30.z + v16.x)
            + (vec4(v47.x, v48.y, v47.z, v48.w) * v32.yxyx
                - (vec4(v27.y / v46.y, v48.x, v47.wy) * v32.xxyy).ywxz)).zwxy;
}
