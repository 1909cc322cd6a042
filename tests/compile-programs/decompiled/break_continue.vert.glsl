#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; indices of relative addressing stay
// inside what they address; no product of zero with an infinity or NaN is formed; the sign of a
// zero does not matter, and no NaN is compared; a dynamic index stays inside of the array it starts
// in.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 keys[8];
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inTime;

layout(location = 0) out vec4 color;

void main() {
    float sum = 0.0;
    float sum2 = 0.0;
    for (int i = 0; i < 8; i++) {
        float value;
        if (keys[i].w < 0.0003) {
            value = 0.0;
        } else if (keys[i].x > inTime.x - 0.0003) {
            value = 1.0;
        } else {
            sum += keys[i].z * keys[i].y;
            sum2 += 1.0;
            value = 0.0;
        }
        if (max(0.0, value) != 0.0) {
            break;
        }
    }
    color = vec4(sum * 0.25, sum2 * 0.125, 0.0, 1.0);
    gl_Position = mvp * vec4(inPosition.x, sum + inPosition.y, inPosition.z, 1.0);
}
