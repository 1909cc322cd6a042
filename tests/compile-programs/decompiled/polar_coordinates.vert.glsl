#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared; square roots are
// taken of positive numbers; no operand of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inDirection;
layout(location = 2) in vec4 inUnit;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    float inDirectionY = abs(inDirection.y);
    float inDirectionX = abs(inDirection.x);
    float ratio = min(inDirectionY, inDirectionX) / max(inDirectionY, inDirectionX);
    float squared = ratio * ratio;
    ratio *= squared
        * (squared * (squared * (squared * (0.052647 - squared * 0.0117191) - 0.116426) + 0.19354)
            - 0.332623)
        + 0.99998;
    inDirectionX = float(inDirectionX < inDirectionY) * (1.5707964 - ratio * 2.0) + ratio;
    float shifted = inDirection.x - 2.0;
    float size = abs(shifted);
    float ratio2 = min(1.0, size) / max(1.0, size);
    float squared2 = ratio2 * ratio2;
    ratio2 *= squared2
        * (squared2
            * (squared2 * (squared2 * (0.052647 - squared2 * 0.0117191) - 0.116426) + 0.19354)
            - 0.332623)
        + 0.99998;
    float inUnitX = abs(inUnit.x);
    vec2 colorValue = vec2(
        float(size > 1.0) * (1.5707964 - ratio2 * 2.0) + ratio2,
        -sqrt(1.0 - inUnitX)
            * (inUnitX
                * (inUnitX * (inUnitX * (inUnitX * 0.009733 - 0.037618) + 0.085638) - 0.214281)
                + 1.5707964)
            + 1.5707964
    ) * (1.0 - vec2(bvec2(shifted < 0.0, inUnit.x < 0.0)) * 2.0);
    float inUnitY = abs(inUnit.y);
    float product = -(-sqrt(1.0 - inUnitY)
        * (inUnitY * (inUnitY * (inUnitY * (inUnitY * 0.009733 - 0.037618) + 0.085638) - 0.214281)
            + 1.5707964)
        + 1.5707964)
        * (1.0 - float(inUnit.y < 0.0) * 2.0);
    color = vec4(colorValue, product + 1.5707964, 1.0);
    texcoord0 = (vec2(lessThan(vec2(-inDirection.x, inDirection.x), vec2(0.0)))
        * (3.1415927 - inDirectionX * 2.0)
        + inDirectionX)
        * (1.0 - vec2(lessThan(vec2(inDirection.y, -inDirection.y), vec2(0.0))) * 2.0)
        * 0.15915494;
    gl_Position = mvp * inPosition;
}
