#version 330
// latte_vs_mvp.vs.bin: vertex program, latte
// Assumed: no number is so small that the machine takes it for zero; the terms of a dot product may
// be added in any order; vectors that are normalized are not zero.

layout(std140) uniform cb0 {
    mat4 transform;
    mat4 transform2;
    mat4 transform3;
    mat3 matrix0;
};

layout(location = 0) in vec4 position;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 attribute2;

out vec4 param0;
out vec4 param1;

void main() {
    vec4 transformed = transform * position;
    gl_Position = transform3 * (transform2 * transformed);
    param0 = vec4(attribute2.xy, transformed.xy);
    param1 = vec4(normalize(matrix0 * normal.xyz), 0.0);
}
