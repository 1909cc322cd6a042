#version 330
// latte_matrix.ps.bin: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero; the terms of a dot product may
// be added in any order.

layout(std140) uniform cb0 {
    vec3 direction;
    vec3 scale;
    vec3 scale2;
    mat4 matrix0;
    vec3 scale3;
    vec3 scale4;
};

in vec4 param0;
in vec4 param1;

out vec4 color0;

void main() {
    vec3 vector = vec3(matrix0[1].z, matrix0[2].z, matrix0[3].z);
    vec2 scaled = scale.xy * param1.y;
    vec2 scaled2 = direction.xy * param1.x;
    vec2 scaled3 = scale2.xy * param1.z;
    vec4 transformed = param1 * matrix0;
    vec2 scaled4 = scale3.xy * param0.x;
    vec3 perpendicular = cross(matrix0[2].xyw, matrix0[3].xyw);
    vec3 perpendicular2 = cross(vector, vec3(matrix0[1].w, matrix0[2].w, matrix0[3].w));
    vec3 perpendicular3 = cross(vec3(matrix0[1].y, matrix0[2].y, matrix0[3].y), vector);
    vec3 perpendicular4 = cross(
        matrix0[1].xyz,
        vec3(-perpendicular.y, perpendicular.x, perpendicular2.x)
    );
    float sum = matrix0[1].w * perpendicular3.x + perpendicular4.x;
    vec4 transformed2 = matrix0 * param0;
    vec3 perpendicular5 = cross(vec3(matrix0[1].x, matrix0[2].x, matrix0[3].x), vector);
    vec3 perpendicular6 = vec3(perpendicular5.x, perpendicular3.y, perpendicular5.z);
    float difference = matrix0[1].w * perpendicular6.x - perpendicular4.y;
    vec3 perpendicular7 = cross(matrix0[1].yxw, matrix0[2].yxw);
    vec2 sum2 = vec2(
        scale4.x * param0.y + scaled4.x + scaled3.x + scaled2.x + scaled.x + transformed2.x,
        scale4.y * param0.y + scaled4.y + scaled3.y + scaled2.y + scaled.y
    ) + vec2(transformed.x, transformed2.y)
        + vec2(-dot(cross(scale.yxz, scale2.yxz), direction.yxz), transformed.y);
    vec3 perpendicular8 = cross(matrix0[1].yxw, matrix0[3].yxw);
    vec3 perpendicular9 = vec3(perpendicular.z, perpendicular8.z, perpendicular7.z);
    float sum3 = matrix0[1].w * perpendicular9.x + perpendicular4.z;
    float sum4 = matrix0[1].x * perpendicular3.x
        - matrix0[1].y * perpendicular6.x
        + matrix0[1].z * perpendicular9.x;
    vec3 perpendicular10 = cross(
        matrix0[0].xyz,
        vec3(-perpendicular.y, perpendicular.x, perpendicular2.x)
    );
    vec3 perpendicular11 = cross(
        matrix0[0].yxz,
        vec3(-perpendicular7.y, perpendicular7.x, perpendicular2.z)
    );
    vec3 perpendicular12 = cross(
        matrix0[0].yxz,
        vec3(-perpendicular8.y, perpendicular8.x, -perpendicular2.y)
    );
    vec3 scaled5 = matrix0[0].w * perpendicular9;
    vec3 scaled6 = matrix0[0].w * perpendicular6;
    vec3 scaled7 = matrix0[0].z * perpendicular9;
    float sum5 = matrix0[0].z * sum3
        - matrix0[0].w * sum4
        - matrix0[0].y * difference
        + matrix0[0].x * sum;
    vec4 scaled8 = vec4(
        sum3,
        vec3(scaled5.x, -scaled5.yz)
            + vec3(perpendicular10.z, -perpendicular12.z, -perpendicular11.z)
    ) / sum5
        * (scale4.z * param0.y
            + scale3.z * param0.x
            + scale2.z * param1.z
            + direction.z * param1.x
            + scale.z * param1.y
            + transformed2.z
            + transformed.z);
    vec4 scaled9 = vec4(
        sum4,
        matrix0[0].xyx * vec3(perpendicular3.x, perpendicular5.y, perpendicular3.z)
            - matrix0[0].yxy * perpendicular6
            + vec3(scaled7.x, -scaled7.yz)
    ) / sum5
        * (transformed2.w + transformed.w);
    color0 = vec4(
        sum,
        vec3(scaled6.x, -scaled6.y, scaled6.z)
            + vec3(-perpendicular10.y, -perpendicular12.y, perpendicular11.x)
    ) / sum5
        * sum2.xyxy
        - vec4(
            difference,
            vec3(
                matrix0[0].w * perpendicular3.x,
                perpendicular12.x,
                matrix0[0].w * perpendicular3.z
            ) + vec3(perpendicular10.x, -(matrix0[0].w * perpendicular5.y), -perpendicular11.y)
        ) / sum5
            * sum2.yxyx
        + vec4(scaled8.x, -scaled8.y, scaled8.z, -scaled8.w)
        + vec4(-scaled9.x, scaled9.y, -scaled9.z, scaled9.w);
}
