#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand of abs,
// clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 emitter;
    vec4 time;
    vec4 lifetime;
    vec4 startColor;
    vec4 endColor;
};

layout(location = 0) in vec4 inVelocity;
layout(location = 1) in vec4 inCorner;
layout(location = 2) in vec4 inBirth;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    float difference = time.x - inBirth.x;
    float ratio = difference / lifetime.x;
    vec3 sum = difference * inVelocity.xyz + emitter.xyz;
    bool isAbove = ratio > 1.0;
    bool condition = difference < 0.0 || isAbove;
    vec3 emitterValue = condition
        ? vec3(0.0, emitter.yz)
        : vec3(ratio, -difference * (difference * 0.49) + sum.y, sum.z);
    color = mix(startColor, endColor, emitterValue.xxxx);
    texcoord0 = inCorner.xy;
    gl_Position = mvp * vec4(
        0.5 * (1.0 - max(float(difference < 0.0), float(isAbove))) * inCorner.xy
            + vec2(condition ? emitter.x : sum.x, emitterValue.y),
        emitterValue.z,
        1.0
    );
}
