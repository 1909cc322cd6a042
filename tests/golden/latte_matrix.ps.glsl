#version 330
// latte_matrix.ps.bin: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero; the terms of a dot product may
// be added in any order.

layout(std140) uniform cb0 {
    vec3 scale;
    vec3 scale2;
    vec3 scale3;
    mat4 matrix0;
    vec3 scale4;
    vec3 scale5;
};

in vec4 param0;
in vec4 param1;

out vec4 color0;

void main() {
    vec2 vector = vec2(matrix0[2].x, matrix0[1].x);
    vec2 vector2 = vec2(matrix0[2].y, matrix0[1].y);
    vec2 vector3 = vec2(matrix0[2].w, matrix0[1].w);
    vec2 vector4 = vec2(matrix0[2].z, matrix0[1].z);
    vec2 scaled = scale2.xy * param1.y;
    vec2 scaled2 = scale2.xy * scale3.z;
    vec4 transformed = param1 * matrix0;
    vec4 transformed2 = matrix0 * param0;
    vec4 product = matrix0[1].wzwz * matrix0[2].yyxx;
    vec3 offset = vec3(vector4 * matrix0[3].w, matrix0[1].z * matrix0[2].w)
        - vec3(matrix0[3].z * vector3, matrix0[1].w * matrix0[2].z);
    vec4 product2 = matrix0[2].zwwz * matrix0[1].yxyx;
    vec3 offset2 = vec3(vec2(matrix0[2].y, matrix0[1].x) * matrix0[3].z, product2.x)
        - vec3((matrix0[3].xy * vec2(matrix0[1].z, matrix0[2].z)).yx, product.y);
    vec3 offset3 = vec3(vector * matrix0[3].w, product2.y)
        - vec3(matrix0[3].x * vector3, product.z);
    vec3 offset4 = vec3(vec2(matrix0[2].x, matrix0[1].y) * matrix0[3].z, product2.w)
        - vec3(matrix0[3].xy * vector4, product.w);
    float sum = matrix0[1].x * offset.x - matrix0[1].z * offset3.x + matrix0[1].w * offset4.x;
    vec3 offset5 = vec3(vector * matrix0[3].y, matrix0[1].x * matrix0[2].y)
        - vec3(matrix0[3].x * vector2, matrix0[1].y * matrix0[2].x);
    float sum2 = matrix0[1].x * offset2.x - offset4.x * matrix0[1].y + matrix0[1].z * offset5.x;
    float sum3 = scale5.x * param0.y
        + scale4.x * param0.x
        + scale3.x * param1.z
        + scale.x * param1.x
        + scaled.x
        + transformed2.x
        + transformed.x
        + scale.z * (scale2.x * scale3.y - scale2.y * scale3.x);
    vec2 sum4 = vec2(
        sum3,
        scale5.y * param0.y
            + scale4.y * param0.x
            + scale3.y * param1.z
            + scale.y * param1.x
            + scaled.y
    ) + vec2(scale.x * (scaled2.y - scale2.z * scale3.y), transformed2.y)
        + vec2(-(scale.y * (scaled2.x - scale2.z * scale3.x)), transformed.y);
    vec3 offset6 = vec3(vector2 * matrix0[3].w, product2.z)
        - vec3(matrix0[3].y * vector3, product.x);
    float sum5 = offset.x * matrix0[1].y - matrix0[1].z * offset6.x + matrix0[1].w * offset2.x;
    float sum6 = matrix0[1].x * offset6.x - offset3.x * matrix0[1].y + matrix0[1].w * offset5.x;
    float sum7 = matrix0[0].z * sum6
        - matrix0[0].w * sum2
        - sum * matrix0[0].y
        + matrix0[0].x * sum5;
    vec4 offset7 = vec4(
        sum5,
        matrix0[0].xyx * offset
            - matrix0[0].z * vec3(offset3.x, offset6.y, offset3.z)
            + matrix0[0].w * offset4
    ) / sum7
        * sum4.xyxy
        - vec4(
            sum,
            matrix0[0].yxy * offset
                - matrix0[0].z * vec3(offset6.x, offset3.y, offset6.z)
                + matrix0[0].w * offset2
        ) / sum7
            * sum4.yxyx;
    vec4 scaled3 = vec4(
        sum6,
        matrix0[0].x * offset6 - matrix0[0].y * offset3 + matrix0[0].w * offset5
    ) / sum7
        * (scale5.z * param0.y
            + scale4.z * param0.x
            + scale3.z * param1.z
            + scale.z * param1.x
            + scale2.z * param1.y
            + transformed2.z
            + transformed.z);
    vec4 scaled4 = vec4(
        sum2,
        matrix0[0].x * vec3(offset2.x, offset4.y, offset2.z)
            - matrix0[0].y * vec3(offset4.x, offset2.y, offset4.z)
            + matrix0[0].z * offset5
    ) / sum7
        * (transformed2.w + transformed.w);
    color0 = vec4(scaled3.x, -scaled3.y, scaled3.z, -scaled3.w)
        + offset7
        + vec4(-scaled4.x, scaled4.y, -scaled4.z, scaled4.w);
}
