#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
};

layout(location = 0) in vec4 position;
layout(location = 1) in vec4 uv;
layout(location = 2) in vec4 tint;

layout(location = 1) out vec4 color;
layout(location = 2) out vec2 texcoord0;

void main() {
    gl_Position = mvp * vec4(position.xyz, 1.0);
    color = tint;
    texcoord0 = uv.xy;
}
