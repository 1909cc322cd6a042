#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 view_model;
    mat4 projection;
};

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_normal;

layout(location = 1) out vec2 texcoord0;
layout(location = 2) out vec3 view;

void main() {
    vec4 viewPosition = view_model * vec4(in_position.xyz, 1.0);
    vec2 scaled = vec2(
        dot(transpose(view_model)[0].xyz, in_normal.xyz),
        dot(transpose(view_model)[1].xyz, in_normal.xyz)
    ) * 0.5;
    gl_Position = projection * viewPosition;
    texcoord0 = vec2(scaled.x, -scaled.y) + 0.5;
    view = -viewPosition.xyz;
}
