#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand of abs,
// clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 angles;
    vec4 translation;
    mat4 viewProjection;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;

void main() {
    vec4 inPositionValue = vec4(inPosition.xyz, 1.0);
    vec2 scaledZY = angles.zy * 0.15915494;
    float shiftedY = abs(fract(scaledZY.y + 0.25) - 0.5) - 0.25;
    float squared = shiftedY * shiftedY;
    squared = shiftedY * (squared * (squared * (squared * 70.993 - 81.341) + 41.337) - 6.2831855);
    vec3 shifted = abs(fract(scaledZY.xxy + vec3(0.5, 0.25, 0.5)) - 0.5) - 0.25;
    vec3 squared2 = shifted * shifted;
    vec3 product = shifted
        * (squared2 * (squared2 * (squared2 * 70.993 - 81.341) + 41.337) - 6.2831855);
    vec2 shifted2 = abs(fract(angles.x * 0.15915494 + vec2(0.25, 0.5)) - 0.5) - 0.25;
    float squaredX = shifted2.x * shifted2.x;
    float squaredY = shifted2.y * shifted2.y;
    vec2 product2 = shifted2
        * vec2(
            squaredX * (squaredX * (squaredX * 70.993 - 81.341) + 41.337) - 6.2831855,
            squaredY * (squaredY * (squaredY * 70.993 - 81.341) + 41.337) - 6.2831855
        );
    vec2 scaled = squared * product2;
    vec2 scaled2 = product.y * product2.yx;
    vec2 scaled3 = product.x * product2.yx;
    float sum = product2.x * inNormal.y + product2.y * inNormal.z;
    vec3 product3 = vec3(product.yx, -squared)
        * vec3(vec2(product2.y * inNormal.y - product2.x * inNormal.z), inNormal.x);
    color = vec4(
        product * vec3(vec2(product.z * inNormal.x + squared * sum), sum)
            + vec3(-product3.x, product3.yz),
        1.0
    );
    gl_Position = viewProjection * vec4(
        dot(
            inPositionValue,
            vec4(
                product.x * product.z,
                product.x * scaled + vec2(-scaled2.x, scaled2.y),
                translation.x
            )
        ),
        dot(
            inPositionValue,
            vec4(
                product.y * product.z,
                product.y * scaled + vec2(scaled3.x, -scaled3.y),
                translation.y
            )
        ),
        dot(inPositionValue, vec4(-squared, product.z * product2, translation.z)),
        1.0
    );
}
