#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand of mod,
// sign or step is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 modelViewProjection;
    vec4 lightPosition;
    vec4 extrusion;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;

void main() {
    vec3 offset = inPosition.xyz - lightPosition.xyz;
    float colorValue = step(0.015, dot(inNormal.xyz, offset));
    color = vec4(colorValue, 0.0, 0.0, 1.0);
    gl_Position = modelViewProjection * vec4(
        offset * (extrusion.x * colorValue) + inPosition.xyz,
        1.0
    );
}
