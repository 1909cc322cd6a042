#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand
// of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4x3 camera;
    mat4x3 turn;
    vec4 lens;
};

layout(location = 0) in vec4 position;
layout(location = 1) in vec4 row0;
layout(location = 2) in vec4 row1;
layout(location = 3) in vec4 row2;

layout(location = 1) out vec4 color;

void main() {
    vec4 positionValue = vec4(position.xyz, 1.0);
    vec3 transformed = mat3(turn) * (camera * vec4(
        dot(positionValue, row0),
        dot(positionValue, row1),
        dot(positionValue, row2),
        1.0
    ));
    gl_Position = vec4(lens.xy * transformed.xy, lens.w + lens.z * transformed.z, -transformed.z);
    color = vec4(abs(position.xyz) * 0.25, 1.0);
}
