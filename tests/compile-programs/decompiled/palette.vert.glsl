#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared; no operand of abs, clamp, mix or fract is NaN or
// infinite; a dynamic index stays inside of the array it starts in.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 userPalette[8];
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inIndices;

layout(location = 0) out vec4 color;

const vec4 constants_87[9] = vec4[](
    vec4(0.0, 0.0, 0.0, 1.0),
    vec4(0.5, 0.0, 0.0, 1.0),
    vec4(0.0, 0.5, 0.0, 1.0),
    vec4(0.5, 0.5, 0.0, 1.0),
    vec4(0.0, 0.0, 0.5, 1.0),
    vec4(0.5, 0.0, 0.5, 1.0),
    vec4(0.0, 0.5, 0.5, 1.0),
    vec4(0.75, 0.75, 0.75, 1.0),
    vec4(0.25, 0.0, 0.0, 0.0)
);

void main() {
    color = mix(constants_87[int(inIndices.x)], userPalette[int(inIndices.y)], 0.25);
    gl_Position = mvp * inPosition;
}
