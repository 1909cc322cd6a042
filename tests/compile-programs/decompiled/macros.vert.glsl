#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    mat4x2 directions;
    vec4 strengths[2];
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 normal;

layout(location = 0) out vec4 color;

void main() {
    vec2 normalValue = mat3x2(directions) * normal.xyz;
    color = -vec4(
        vec3(max(0.0, normalValue.x) * strengths[0].x + strengths[1].x * max(0.0, normalValue.y)),
        -1.0
    );
    gl_Position = mvp * inPosition;
}
