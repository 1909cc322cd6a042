#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand of abs,
// clamp, mix or fract is NaN or infinite; no operand of mod, sign or step is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 bend;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;
layout(location = 2) in vec4 inTexcoord;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    float scaledX = bend.x * 0.15915494;
    float shifted = abs(fract(scaledX + 0.25) - 0.5) - 0.25;
    float squared = shifted * shifted;
    shifted *= squared * (squared * (squared * 70.993 - 81.341) + 41.337) - 6.2831855;
    scaledX = abs(fract(scaledX + 0.5) - 0.5) - 0.25;
    float squared2 = scaledX * scaledX;
    squared2 = scaledX
        * (squared2 * (squared2 * (squared2 * 70.993 - 81.341) + 41.337) - 6.2831855);
    float sum = bend.y + (abs(inNormal.x) + abs(inNormal.y) + abs(inNormal.z));
    float scaled = sum * 0.5;
    sum += scaled;
    color = vec4(sign(inNormal.xyz), sum);
    texcoord0 = 0.5 * sum * inTexcoord.xy + scaled;
    gl_Position = mvp * vec4(
        squared2 * inPosition.x - shifted * inPosition.z,
        inPosition.y,
        shifted * inPosition.x + squared2 * inPosition.z,
        inPosition.w
    );
}
