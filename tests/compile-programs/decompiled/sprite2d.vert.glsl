#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; no product of zero with an infinity or NaN is formed; no operand of abs, clamp, mix or
// fract is NaN or infinite.

layout(std140, binding = 0) uniform Uniforms {
    vec4 screenSize;
};

layout(location = 0) in vec4 inCorner;
layout(location = 1) in vec4 inPlacement;
layout(location = 2) in vec4 inSource;
layout(location = 3) in vec4 inAngle;
layout(location = 4) in vec4 inColor;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    vec2 shifted = abs(fract(inAngle.x * 0.15915494 + vec2(0.5, 0.25)) - 0.5) - 0.25;
    float squaredY = shifted.y * shifted.y;
    float squaredX = shifted.x * shifted.x;
    vec2 product = shifted
        * (vec2(squaredX, squaredY)
            * (vec2(
                squaredX * (squaredX * 70.993 - 81.341),
                squaredY * (squaredY * 70.993 - 81.341)
            ) + 41.337)
            - 6.2831855);
    vec2 product2 = inCorner.xy * inPlacement.zw;
    vec2 scaled = product.yx * product2.y;
    vec2 scaled2 = ((product * product2.x + vec2(-scaled.x, scaled.y) + inPlacement.xy)
        / screenSize.xy).yx
        * 2.0;
    color = inColor;
    texcoord0 = inCorner.xy * inSource.zw + inSource.xy;
    gl_Position = vec4(vec2(scaled2.x, -scaled2.y) + vec2(-1.0, 1.0), 0.5, 1.0);
}
