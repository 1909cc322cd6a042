#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared; a dynamic index stays inside of the array it
// starts in.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 steps[12];
    ivec4 counts;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inColor;

layout(location = 0) out vec4 color;

void main() {
    vec4 colorValue = inColor;
    bool flag = false;
    float sum = -1.0;
    bool flag2 = false;
    float sum2 = -1.0;
    int i = 0;
    for (int j = 0; j <= counts.x; j++) {
        if (flag) {
            colorValue += steps[int(sum)];
        }
        flag = true;
        sum += 1.0;
    }
    while (i <= counts.x) {
        if (flag2) {
            colorValue = steps[int(sum2) + 6] + colorValue * 0.5;
        }
        flag2 = true;
        sum2 += 1.0;
        i++;
    }
    color = colorValue;
    gl_Position = mvp * inPosition;
}
