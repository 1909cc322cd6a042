#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inPacked;

layout(location = 0) out vec4 color;

void main() {
    color = vec4(
        vec2(floor((inPacked.x + 0.5) * 0.0625), -floor(inPacked.x * 0.0625) * 16.0 + inPacked.x)
            * 0.066667,
        vec2(floor((inPacked.y + 0.5) * 0.0625), -floor(inPacked.y * 0.0625) * 16.0 + inPacked.y)
            * 0.066667
    );
    gl_Position = mvp * inPosition;
}
