#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand of abs,
// clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 cylinder;
};

layout(location = 0) in vec4 in_sheet;
layout(location = 1) in vec4 in_direction;

layout(location = 1) out vec2 texcoord0;
layout(location = 2) out vec4 color;

void main() {
    float shiftedX = abs(cylinder.x) + 2.0;
    vec2 shifted = abs(fract((cylinder.z + in_sheet.x * 0.5) * 0.15915494 + vec2(0.5, 0.25)) - 0.5)
        - 0.25;
    float squaredX = shifted.x * shifted.x;
    float squaredY = shifted.y * shifted.y;
    vec2 product = shifted
        * (vec2(squaredX, squaredY)
            * (vec2(
                squaredX * (squaredX * 70.993 - 81.341),
                squaredY * (squaredY * 70.993 - 81.341)
            ) + 41.337)
            - 6.2831855);
    float directionY = abs(in_direction.y);
    float directionX = abs(in_direction.x);
    float ratio = min(directionY, directionX) / max(directionY, directionX);
    float squared = ratio * ratio;
    ratio *= squared
        * (squared * (squared * (squared * (0.052647 - squared * 0.0117191) - 0.116426) + 0.19354)
            - 0.332623)
        + 0.99998;
    directionY = float(directionX < directionY) * (1.5707964 - ratio * 2.0) + ratio;
    gl_Position = mvp * vec4(
        vec3(shiftedX, cylinder.y, shiftedX) * vec3(product.x, in_sheet.y, product.y),
        1.0
    );
    texcoord0 = vec2(
        (float(in_direction.x < 0.0) * (3.1415927 - directionY * 2.0) + directionY)
            * (1.0 - float(in_direction.y < 0.0) * 2.0)
            * 0.15915494,
        in_sheet.y * 0.25
    );
    color = vec4(product * 0.5 + 0.5, 0.0, 1.0);
}
