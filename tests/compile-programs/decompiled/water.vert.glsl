#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; indices of relative addressing stay
// inside what they address; no product of zero with an infinity or NaN is formed; the sign of a
// zero does not matter, and no NaN is compared; no operand of abs, clamp, mix or fract is NaN or
// infinite; a dynamic index stays inside of the array it starts in.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 waves[4];
    vec4 time;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inTexcoord;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    float sum = 0.0;
    vec2 sum2 = vec2(0.0);
    for (int i = 0; i < 4; i++) {
        vec2 wave = waves[i].xy;
        float scaled = (inPosition.x * wave.x + wave.y * inPosition.z + waves[i].z * time.x)
            * 0.15915494;
        float shifted = abs(fract(scaled + 0.25) - 0.5) - 0.25;
        float squared = shifted * shifted;
        float waveW = waves[i].w;
        scaled = abs(fract(scaled + 0.5) - 0.5) - 0.25;
        float squared2 = scaled * scaled;
        sum += shifted
            * (squared * (squared * (squared * 70.993 - 81.341) + 41.337) - 6.2831855)
            * waveW;
        sum2 += waveW
            * (scaled
                * (squared2 * (squared2 * (squared2 * 70.993 - 81.341) + 41.337) - 6.2831855))
            * wave;
    }
    float scale = inversesqrt(sum2.y * sum2.y + (sum2.x * sum2.x + 1.0));
    vec2 scaled2 = sum2 * scale;
    vec3 scaled3 = vec3(scaled2.x, scale, scaled2.y) * 0.5;
    vec2 colorValue = 0.5 - scaled3.xz;
    color = vec4(colorValue.x, scaled3.y + 0.5, colorValue.y, 1.0);
    texcoord0 = sum2 * 0.0625 + inTexcoord.xy;
    gl_Position = mvp * vec4(inPosition.x, sum + inPosition.y, inPosition.z, 1.0);
}
