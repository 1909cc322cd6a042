#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared; a dynamic index stays inside of the array it
// starts in.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 lightPosition[3];
    vec4 lightBrightness[3];
    vec4 lightColor[3];
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;

void main() {
    vec3 colorValue = vec3(0.0);
    for (int i = 0; i < 3; i++) {
        vec3 offset = lightPosition[i].xyz - inPosition.xyz;
        float squared = dot(offset, offset) + 0.25;
        colorValue += lightBrightness[i].x
            / (squared + 1.0)
            * max(0.0, dot(inNormal.xyz, offset) * inversesqrt(squared))
            * lightColor[i].xyz;
    }
    color = vec4(colorValue, 1.0);
    gl_Position = mvp * vec4(inPosition.xyz, 1.0);
}
