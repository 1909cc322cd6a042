#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand
// of mod, sign or step is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 limits;
    vec4 bands[4];
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    float inPositionValue = inPosition.y + 0.00069999695;
    vec4 colorValue;
    if (inPositionValue < limits.x) {
        colorValue = bands[0];
    } else {
        colorValue = inPositionValue < limits.y
            ? bands[1]
            : inPositionValue < limits.z ? bands[2] : bands[3];
    }
    vec3 shifted = limits.xyz + 0.00069999695;
    vec3 vector = vec3(lessThan(shifted, inNormal.xyz));
    color = colorValue;
    texcoord0 = vec2(
        max(vector.z, max(vector.x, vector.y)),
        step(inNormal.z, shifted.z) * (step(inNormal.x, shifted.x) * step(inNormal.y, shifted.y))
            == 0.0
            ? vector.z * (vector.x * vector.y)
            : -1.0
    );
    gl_Position = mvp * vec4(inPosition.xyz, 1.0);
}
