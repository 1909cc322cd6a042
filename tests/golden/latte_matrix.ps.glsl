#version 330
// latte_matrix.ps.bin: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero; the inverse of a matrix may be
// computed in other steps; the terms of a dot product may be added in any order.

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
    vec4 transformed = param1 * matrix0;
    vec4 transformed2 = matrix0 * param0;
    vec3 sum = vec3(scale4.x * param0.y + scale3.x * param0.x, scale4.yz * param0.y)
        + vec3(scale2.x * param1.z, scale3.yz * param0.x)
        + vec3(direction.x, scale2.yz) * param1.xzz
        + vec3(scale.x * param1.y, direction.yz * param1.x)
        + vec3(transformed2.x, scale.yz * param1.y)
        + vec3(transformed.x, transformed2.yz);
    color0 = inverse(matrix0) * vec4(
        sum + vec3(-dot(cross(scale.yxz, scale2.yxz).yxz, direction), transformed.yz),
        transformed2.w + transformed.w
    );
}
