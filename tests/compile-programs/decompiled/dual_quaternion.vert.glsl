#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared; vectors that are normalized are not zero; no
// operand of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 dualQuaternions[16];
    mat4 mvp;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 bones;
layout(location = 2) in vec4 weight;

layout(location = 0) out vec4 color;

void main() {
    float rest = 1.0 - weight.x;
    int indexX = int(floor(bones.x) * 2.0);
    int indexY = int(floor(bones.y) * 2.0);
    vec4 dualQuaternion = dualQuaternions[indexX];
    vec4 dualQuaternion2 = dualQuaternions[indexY];
    if (dot(dualQuaternion2, dualQuaternion) < 0.0) {
        rest = -rest;
    }
    vec4 sum = weight.x * dualQuaternion + dualQuaternion2 * rest;
    vec4 colorValue = normalize(sum);
    vec4 scaled = (weight.x * dualQuaternions[indexX + 1] + dualQuaternions[indexY + 1] * rest)
        * inversesqrt(dot(sum, sum));
    color = abs(colorValue);
    gl_Position = mvp * vec4(
        (colorValue.w * scaled.xyz - colorValue.xyz * scaled.w + cross(colorValue.xyz, scaled.xyz))
            * 2.0
            + (cross(
                colorValue.xyz,
                colorValue.w * inPosition.xyz + cross(colorValue.xyz, inPosition.xyz)
            ) * 2.0
                + inPosition.xyz),
        1.0
    );
}
