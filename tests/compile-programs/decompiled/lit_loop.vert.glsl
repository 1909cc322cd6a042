#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared; a dynamic index stays inside of the array it
// starts in.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 lights[12];
    ivec4 light_count;
};

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_normal;

layout(location = 1) out vec4 color;

void main() {
    vec3 colorValue = vec3(0.0625);
    bool flag = false;
    float sum = -1.0;
    for (int i = 0; i <= light_count.x; i++) {
        if (flag) {
            int index = int(sum * 2.0);
            colorValue += max(0.0, dot(lights[index].xyz, in_normal.xyz)) * lights[index + 1].xyz;
        }
        flag = true;
        sum += 1.0;
    }
    gl_Position = mvp * vec4(in_position.xyz, 1.0);
    color = vec4(colorValue, 1.0);
}
