#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand of abs,
// clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 wind;
    vec4 time;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inTexcoord;
layout(location = 2) in vec4 inStiffness;

layout(location = 0) out vec2 texcoord0;
layout(location = 1) out vec4 color;

void main() {
    float inPositionValue = max(0.0, inPosition.y);
    float sumX = time.x + inPosition.x * 0.5;
    float shifted = abs(fract(sumX * 0.15915494 + 0.25) - 0.5) - 0.25;
    float squared = shifted * shifted;
    sumX = abs(fract((sumX * 2.0 + 1.0) * 0.15915494 + 0.25) - 0.5) - 0.25;
    float squared2 = sumX * sumX;
    sumX = shifted * (squared * (squared * (squared * 70.993 - 81.341) + 41.337) - 6.2831855)
        + sumX * (squared2 * (squared2 * (squared2 * 70.993 - 81.341) + 41.337) - 6.2831855) * 0.5;
    vec2 sum = 0.0625
        * (inPositionValue * (inPositionValue * (wind.z * sumX)))
        * (1.0 - clamp(inStiffness.x, 0.0, 1.0))
        * wind.xy
        + inPosition.xz;
    texcoord0 = inTexcoord.xy;
    color = vec4(vec3(inPositionValue * 0.125 + 0.5), 1.0);
    gl_Position = mvp * vec4(sum.x, inPosition.y, sum.y, 1.0);
}
