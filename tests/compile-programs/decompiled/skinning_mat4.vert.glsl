#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 bones[64];
    mat4 mvp;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 joints;
layout(location = 2) in vec4 weight;
layout(location = 3) in vec4 inTexcoord;

layout(location = 0) out vec2 texcoord0;
layout(location = 1) out vec4 color;

void main() {
    int indexX = int(floor(joints.x) * 4.0);
    float rest = 1.0 - weight.x;
    int indexY = int(floor(joints.y) * 4.0);
    vec4 sum = (vec4(
        bones[indexX].x,
        bones[indexX + 1].x,
        bones[indexX + 2].x,
        bones[indexX + 3].x
    ) * weight.x
        + vec4(bones[indexY].x, bones[indexY + 1].x, bones[indexY + 2].x, bones[indexY + 3].x)
            * rest)
        * inPosition.x
        + (vec4(bones[indexX].y, bones[indexX + 1].y, bones[indexX + 2].y, bones[indexX + 3].y)
            * weight.x
            + vec4(bones[indexY].y, bones[indexY + 1].y, bones[indexY + 2].y, bones[indexY + 3].y)
                * rest)
            * inPosition.y;
    sum = (vec4(bones[indexX].w, bones[indexX + 1].w, bones[indexX + 2].w, bones[indexX + 3].w)
        * weight.x
        + vec4(bones[indexY].w, bones[indexY + 1].w, bones[indexY + 2].w, bones[indexY + 3].w)
            * rest)
        * inPosition.w
        + ((vec4(bones[indexX].z, bones[indexX + 1].z, bones[indexX + 2].z, bones[indexX + 3].z)
            * weight.x
            + vec4(bones[indexY].z, bones[indexY + 1].z, bones[indexY + 2].z, bones[indexY + 3].z)
                * rest)
            * inPosition.z
            + sum);
    texcoord0 = inTexcoord.xy;
    color = vec4(weight.x, rest, 0.0, 1.0);
    gl_Position = mvp * sum;
}
