#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 rotation;
    vec4 translation;
    vec4 scale;
    mat4 view_projection;
};

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_normal;

layout(location = 1) out vec4 color;

void main() {
    vec4 scaled = rotation * 0.25;
    vec3 scaled2 = scaled.xyz * 2.0;
    vec3 scaled3 = scaled.w * scaled2;
    vec2 product = vec2(scaled.x, -scaled.z) * scaled2.yz;
    float shifted = -scaled.x * scaled2.x + 1.0;
    vec3 product2 = vec3(scaled.xy, -scaled.y) * scaled2.zzy;
    vec3 sum = vec3(product.yx, product2.x) + vec3(product2.z + 1.0, -scaled3.z, scaled3.y);
    vec3 sum2 = vec3(product, product2.y) + vec3(scaled3.z, shifted, -scaled3.x);
    vec3 sum3 = product2 + vec3(-scaled3.y, scaled3.x, shifted);
    vec3 scaled4 = scale.x * in_position.xyz;
    gl_Position = view_projection * vec4(
        translation.xyz + vec3(dot(scaled4, sum), dot(scaled4, sum2), dot(scaled4, sum3)),
        1.0
    );
    color = vec4(
        vec3(dot(in_normal.xyz, sum), dot(in_normal.xyz, sum2), dot(in_normal.xyz, sum3)) * 0.5
            + 0.5,
        1.0
    );
}
