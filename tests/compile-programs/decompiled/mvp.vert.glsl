#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inTexcoord;
layout(location = 2) in vec4 inColor;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    color = inColor;
    texcoord0 = inTexcoord.xy;
    gl_Position = mvp * vec4(inPosition.xyz, 1.0);
}
