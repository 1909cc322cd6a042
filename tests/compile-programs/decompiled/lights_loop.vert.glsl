#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared; a dynamic index stays inside of the array it
// starts in.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 lightDirections[8];
    vec4 lightColors[8];
    vec4 ambient;
    ivec4 lightCount;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;

void main() {
    vec4 colorValue = ambient;
    bool flag = false;
    int index = lightCount.y;
    for (int i = 0; i <= lightCount.x; i++) {
        if (flag) {
            colorValue += max(0.0, dot(transpose(mvp)[index + 3].xyz, inNormal.xyz))
                * lightDirections[index + 7];
        }
        flag = true;
        index += lightCount.z;
    }
    color = colorValue;
    gl_Position = mvp * inPosition;
}
