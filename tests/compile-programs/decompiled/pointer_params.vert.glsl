#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 settings;
};

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_color;

layout(location = 1) out vec4 color;

void main() {
    float sum = settings.y + in_position.y;
    bool flag;
    if (sum < -1.001) {
        sum = -(sum + 2.0);
        flag = true;
    } else if (sum > 1.001) {
        sum = 2.0 - sum;
        flag = true;
    } else {
        flag = false;
    }
    gl_Position = mvp * vec4(in_position.y * settings.x + in_position.x, sum, in_position.z, 1.0);
    color = vec4((flag ? 0.5 : 1.0) * in_color.xyz, in_color.w);
}
