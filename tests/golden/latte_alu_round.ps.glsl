#version 330
// latte_alu_round.ps.bin: fragment program, latte
// Assumed:
// - no number is so small that the machine takes it for zero
// - the sign of a zero does not matter, and no NaN is compared
// - no operand of abs, clamp, mix or fract is NaN or infinite

in vec4 param0;
in vec4 param1;

layout(location = 0) out vec4 color0;

void main() {
    vec4 v0 = trunc(param0.wxyz);
    vec3 v1 = roundEven(param0.yxz);
    vec2 v2 = floor(vec2(param0.x, param0.x / param1.x));
    vec2 v3 = floor(vec2(param0.y, param0.y / param1.y));
    vec3 v4 = floor(vec3(param0.wz, param0.z / param1.z));
    vec2 v5 = fract(param0.wz);
    vec3 v6 = vec3(bvec3(param1.y >= param0.y, param0.x > 0.0, param1.x >= param0.x));
    vec3 v7 = vec3(bvec3(0.0 > param0.x, greaterThan(vec2(param0.y, 0.0), vec2(0.0, param0.y)).yx));
    vec2 v9 = vec2(v6.y, v7.z) - v7.xy;
    vec2 v8 = vec2(greaterThan(vec2(0.0, param0.z), vec2(param0.z, 0.0)).yx);
    vec2 v10 = vec2(0.3, v8.x) - vec2(param0.y, v8.y);
    vec2 v12 = 0.3 - param0.zw;
    vec2 v11 = vec2(bvec2(param1.w >= param0.w, 0.0 > param0.w));
    vec4 v13 = vec4(float(param0.w > 0.0), param1.wyz) - vec4(v11.y, param0.wyz);
    float f0 = clamp((0.3 - param0.x) / (param1.x - param0.x), 0.0, 1.0);
    vec3 v14 = ceil(param0.ywz);
    float f1 = clamp(v10.x / v13.z, 0.0, 1.0);
    vec3 v15 = vec3(ceil(param0.x), v14.xz) * 2.0 + vec3(v2.x, v3.x, v4.y);
    float f2 = clamp(v12.y / v13.y, 0.0, 1.0);
    vec3 v16 = vec3(v14.y, v0.yz) * vec3(2.0, 3.0, 3.0) + vec3(v4.x, v15.xy);
    float f3 = clamp(v12.x / v13.w, 0.0, 1.0);
    vec4 v17 = vec4(v0.x, v1.y, -2.0, v0.w) * vec4(3.0, 4.0, f0, 3.0) + vec4(v16.xy, 3.0, v15.z);
    vec3 v18 = vec3(roundEven(param0.w), v1.xz) * 4.0 + vec3(v17.x, v16.z, v17.w);
    vec4 v19 = vec4(v18.x, v17.y + fract(param0.x), v18.yz)
        + vec4(v5.x, -param1.x * v2.y + param0.x, fract(param0.y), v5.y)
        + vec4(
            -param1.w * floor(param0.w / param1.w) + param0.w,
            v9.x,
            -param1.y * v3.y + param0.y,
            -param1.z * v4.z + param0.z
        );
    vec4 v20 = v19 + vec4(v13.x, v6.z, v9.y, v10.y);
    vec2 v22 = v20.xz + vec2(v11.x, v6.x);
    vec2 v21 = vec2(f0, f2) * vec2(f0 * v17.z, f2 * -2.0 + 3.0);
    vec3 v23 = vec3(f3, -2.0, f2) * vec3(f3 * -2.0 + 3.0, f1, v21.y);
    vec2 v24 = v23.yz + vec2(3.0, v22.x);
    vec2 v25 = vec2(f3, f1) * vec2(v23.x, v24.x);
    color0 = vec4(
        v21.x + v20.y,
        f1 * v25.y + v22.y,
        v25.x + (v20.w + float(param1.z >= param0.z)),
        v24.y
    );
}
