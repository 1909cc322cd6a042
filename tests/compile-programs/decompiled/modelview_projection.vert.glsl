#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 projection;
    mat4 modelView;
    vec4 tint;
};

layout(location = 0) in vec4 position_in;
layout(location = 1) in vec4 uv;

layout(location = 1) out vec4 color;
layout(location = 2) out vec2 texcoord0;
layout(location = 3) out vec3 view;

void main() {
    vec4 viewPosition = modelView * vec4(position_in.xyz, 1.0);
    gl_Position = projection * viewPosition;
    color = tint;
    texcoord0 = vec2(uv.x, 1.0 - uv.y);
    view = -viewPosition.xyz;
}
