#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 model;
    mat4 viewProjection;
    vec4 scroll;
    vec4 tint;
};

layout(location = 0) in vec4 position;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 uv;

layout(location = 0) out vec3 view;
layout(location = 1) out vec3 normalquat;
layout(location = 2) out vec2 texcoord0;
layout(location = 3) out vec2 texcoord1;
layout(location = 4) out float texcoord2;
layout(location = 5) out vec4 color;

void main() {
    vec4 worldPosition = model * vec4(position.xyz, 1.0);
    view = worldPosition.xyz;
    normalquat = mat3(model) * normal.xyz;
    texcoord0 = uv.xy;
    texcoord1 = scroll.xy + uv.xy * 2.0;
    texcoord2 = worldPosition.z * 0.25;
    color = tint * position.y;
    gl_Position = viewProjection * worldPosition;
}
