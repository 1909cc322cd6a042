#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared; square roots are
// taken of positive numbers; vectors that are normalized are not zero; no operand of abs, clamp,
// mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 axis[4];
    vec4 amount;
};

layout(location = 0) in vec4 position;
layout(location = 1) in vec4 weights;

layout(location = 1) out vec4 color;

void proc_02F(
    vec3 vector,
    vec4 vector2,
    float weight,
    float value,
    out vec3 result0,
    out float result1,
    out float result2
) {
    vec3 direction = normalize(vec3(vector2.xy, vector2.z + 3.0));
    float product = weight * dot(vector, direction);
    float shifted = abs(fract(product * 0.15915494 + 0.25) - 0.5) - 0.25;
    float squared = shifted * shifted;
    float shifted2 = abs(fract(product * 0.5 * 0.15915494 + 0.5) - 0.5) - 0.25;
    float squared2 = shifted2 * shifted2;
    squared2 = shifted
        * (squared * (squared * (squared * 70.993 - 81.341) + 41.337) - 6.2831855)
        * 0.25
        + shifted2 * (squared2 * (squared2 * (squared2 * 70.993 - 81.341) + 41.337) - 6.2831855)
            * 0.5;
    vec3 perpendicular = cross(vector.xzy, direction.xzy);
    vec3 sum = weight * (squared2 * perpendicular.xzy) + vector;
    float value2;
    if (product > vector2.w) {
        value2 = value + 1.0;
        sum += -(direction * (product - vector2.w)) * 0.5;
    } else {
        value2 = value;
    }
    result0 = mix(vector, sum, vec3(clamp(weight, 0.0, 1.0)));
    result1 = length(perpendicular.xzy) * 0.125 + squared2;
    result2 = value2;
}

void main() {
    vec3 scaled = position.zxy * 0.5;
    vec3 vector;
    float value;
    float value2;
    proc_02F(position.xyz, axis[0], amount.x, 0.0, vector, value, value2);
    vec3 vector2;
    float value3;
    float value4;
    proc_02F(vector, axis[1], amount.y, value2, vector2, value3, value4);
    float sum = value + value3;
    vec3 vector3;
    float value5;
    if (weights.x > 0.0) {
        float value6;
        proc_02F(scaled, axis[2], weights.y, value4, vector3, value6, value5);
        sum = sum * 0.5 + value6;
        if (weights.z > 0.5) {
            float value7;
            proc_02F(vector2, axis[3], weights.x * 0.25, value5, vector2, value7, value5);
            sum -= value7;
        }
    } else {
        float value8;
        proc_02F(scaled, axis[2], amount.w, value4, vector3, value8, value5);
        sum += value8 * 2.0;
    }
    vec3 colorValue;
    float value9;
    float value10;
    proc_02F(vector3, axis[3], weights.w, value5, colorValue, value9, value10);
    gl_Position = mvp * vec4(vector2, 1.0);
    color = vec4(colorValue, value10 * 0.125 + (sum + value9));
}
