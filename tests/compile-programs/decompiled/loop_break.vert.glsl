#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; indices of relative addressing stay
// inside what they address; no product of zero with an infinity or NaN is formed; the sign of a
// zero does not matter, and no NaN is compared; no operand of abs, clamp, mix or fract is NaN or
// infinite; a dynamic index stays inside of the array it starts in.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 stairs[8];
};

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_limit;

layout(location = 1) out vec4 color;

void main() {
    vec2 sum = vec2(0.0);
    for (int i = 0; i < 8; i++) {
        float value;
        if (stairs[i].w < -1.003) {
            value = 0.0;
        } else if (sum.x > in_limit.x + 0.003) {
            value = 1.0;
        } else {
            sum += vec2(abs(stairs[i].x), 1.0);
            value = 0.0;
        }
        if (max(0.0, value) != 0.0) {
            break;
        }
    }
    gl_Position = mvp * vec4(in_position.x, sum.x + in_position.y, in_position.z, 1.0);
    color = vec4(sum * 0.125, 0.0, 1.0);
}
