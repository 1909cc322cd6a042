#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared; square roots are
// taken of positive numbers; powers are taken of positive numbers; no operand of abs, clamp, mix or
// fract is NaN or infinite; constants in the code are what shorter numbers of the source were
// rounded to; no operand of mod, sign or step is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 edge;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inPositive;
layout(location = 2) in vec4 inAny;

layout(location = 0) out vec4 color;
layout(location = 1) out vec4 normalquat;
layout(location = 2) out vec2 texcoord0;
layout(location = 3) out vec2 texcoord1;
layout(location = 4) out vec3 view;

void main() {
    vec3 shifted = inAny.xyz + 0.01;
    float shiftedY = shifted.y + 0.5;
    float whole = floor(shiftedY);
    float scaled = whole * 0.5;
    float whole2 = floor(scaled);
    bool isNegative = dot(edge.xyz, shifted) < 0.0;
    vec2 inPositiveValue = isNegative ? inPositive.xz : -inPositive.xz;
    color = vec4(sqrt(inPositive.x), log2(inPositive.y), exp2(inAny.z), pow(inPositive.w, 1.5));
    normalquat = vec4(
        -floor(-shifted.x),
        -(step(shiftedY, whole) * step(whole, shiftedY))
            * (float(scaled < whole2) + float(whole2 < scaled))
            + whole,
        floor(max(0.0, shifted.z)) - floor(max(0.0, -shifted.z)),
        fract(inAny.w + 0.01)
    );
    texcoord0 = vec2(length(inPosition.xy - inAny.zw), log(inPositive.x) + exp(edge.x));
    texcoord1 = vec2(-floor(shifted.x * 0.6666667) * 1.5 + shifted.x, inAny.y * 0.0174532 * 57.296);
    view = smoothstep(vec3(-3.0), vec3(3.000024), inAny.xyz)
        + (vec3(inPositiveValue.x, isNegative ? inPositive.y : -inPositive.y, inPositiveValue.y)
            + step(edge.xyz, inAny.yzw + 0.001));
    gl_Position = mvp * inPosition;
}
