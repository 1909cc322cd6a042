#version 450
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the terms of a dot product may be added in any order; no product of zero with an infinity
// or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 sh[9];
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;

void main() {
    float scaled = inNormal.x * 1.09254;
    vec3 sum = 1.09254 * inNormal.y * inNormal.z * sh[5].xyz
        + (scaled * inNormal.y * sh[4].xyz
            + (0.4886 * inNormal.x * sh[3].xyz
                + (0.4886 * inNormal.z * sh[2].xyz
                    + (0.4886 * inNormal.y * sh[1].xyz + sh[0].xyz * 0.2821))));
    sum = 0.54627 * (inNormal.x * inNormal.x - inNormal.y * inNormal.y) * sh[8].xyz
        + (scaled * inNormal.z * sh[7].xyz
            + (0.31539 * (3.0 * inNormal.z * inNormal.z - 1.0) * sh[6].xyz + sum));
    color = vec4(max(sum, 0.0), 1.0);
    gl_Position = mvp * vec4(inPosition.xyz, 1.0);
}
