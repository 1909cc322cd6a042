#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; indices of relative addressing stay
// inside what they address; no product of zero with an infinity or NaN is formed; the sign of a
// zero does not matter, and no NaN is compared; vectors that are normalized are not zero; no
// operand of abs, clamp, mix or fract is NaN or infinite; a dynamic index stays inside of the array
// it starts in.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 waves[3];
    vec4 time;
};

layout(location = 0) in vec4 in_position;

layout(location = 1) out vec4 color;
layout(location = 2) out vec4 normalquat;

void main() {
    vec3 sum = in_position.xyz;
    vec2 sum2 = vec2(0.0);
    for (int i = 0; i < 3; i++) {
        vec2 wave = waves[i].xy;
        float product = (time.x
            + waves[i].w * (in_position.x * wave.x + wave.y * in_position.z) * 0.5)
            * 0.15915494;
        float shifted = abs(fract(product + 0.25) - 0.5) - 0.25;
        float squared = shifted * shifted;
        product = abs(fract(product + 0.5) - 0.5) - 0.25;
        float squared2 = product * product;
        product *= squared2 * (squared2 * (squared2 * 70.993 - 81.341) + 41.337) - 6.2831855;
        float waveZ = waves[i].z;
        sum += vec3(
            product * (wave.x * waveZ),
            shifted
                * (squared * (squared * (squared * 70.993 - 81.341) + 41.337) - 6.2831855)
                * waveZ,
            product * (wave.y * waveZ)
        ) * 0.25;
        sum2 += 0.25 * (waveZ * product) * wave;
    }
    float scale = inversesqrt(sum2.y * sum2.y + (sum2.x * sum2.x + 1.0));
    vec2 scaled = sum2 * scale;
    vec3 scaled2 = vec3(scaled.x, scale, scaled.y) * 0.5;
    vec2 colorValue = 0.5 - scaled2.xz;
    vec3 direction = normalize(vec3(scale, scaled.x, 1.25 - scaled.y));
    gl_Position = mvp * vec4(sum, 1.0);
    color = vec4(colorValue.x, scaled2.y + 0.5, colorValue.y, 1.0);
    normalquat = vec4(direction.xy, 0.0, direction.z);
}
