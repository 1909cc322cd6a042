#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; indices of relative addressing stay
// inside what they address; no product of zero with an infinity or NaN is formed; the sign of a
// zero does not matter, and no NaN is compared; no operand of mod, sign or step is NaN or infinite;
// a dynamic index stays inside of the array it starts in.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 lightDirection;
    vec4 baseColor;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

const vec4 constants_91[5] = vec4[](
    vec4(0.25, 0.0, 0.0, 0.0),
    vec4(0.5, 0.0, 0.0, 0.0),
    vec4(0.8125, 0.0, 0.0, 0.0),
    vec4(1.0, 0.0, 0.0, 0.0),
    vec4(0.03, 1.03, 3.03, 0.5)
);

void main() {
    float cosine = dot(lightDirection.xyz, inNormal.xyz);
    float value = constants_91[int(step(0.03, cosine) + step(1.03, cosine) + step(3.03, cosine))].x;
    color = vec4(value * baseColor.xyz, baseColor.w);
    texcoord0 = vec2(value, 0.5);
    gl_Position = mvp * vec4(inPosition.xyz, 1.0);
}
