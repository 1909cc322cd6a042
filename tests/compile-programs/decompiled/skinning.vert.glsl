#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 boneRows[54];
    mat4 viewProjection;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;
layout(location = 2) in vec4 boneIndices;
layout(location = 3) in vec4 boneWeights;

layout(location = 0) out vec4 color;

void main() {
    vec4 inPositionValue = vec4(inPosition.xyz, 1.0);
    int indexX = int(floor(boneIndices.x) * 3.0);
    vec4 boneRow = boneRows[indexX];
    vec4 boneRow2 = boneRows[indexX + 1];
    vec4 boneRow3 = boneRows[indexX + 2];
    int indexY = int(floor(boneIndices.y) * 3.0);
    int indexZ = int(floor(boneIndices.z) * 3.0);
    vec3 sum = vec3(
        dot(inPositionValue, boneRows[indexZ]),
        dot(inPositionValue, boneRows[indexZ + 1]),
        dot(inPositionValue, boneRows[indexZ + 2])
    ) * boneWeights.z
        + (vec3(
            dot(inPositionValue, boneRow),
            dot(inPositionValue, boneRow2),
            dot(inPositionValue, boneRow3)
        ) * boneWeights.x
            + vec3(
                dot(inPositionValue, boneRows[indexY]),
                dot(inPositionValue, boneRows[indexY + 1]),
                dot(inPositionValue, boneRows[indexY + 2])
            ) * boneWeights.y);
    int indexW = int(floor(boneIndices.w) * 3.0);
    color = vec4(
        vec3(
            dot(boneRow.xyz, inNormal.xyz),
            dot(boneRow2.xyz, inNormal.xyz),
            dot(boneRow3.xyz, inNormal.xyz)
        ) * 0.25
            + 0.5,
        boneWeights.x
    );
    gl_Position = viewProjection * vec4(
        vec3(
            dot(inPositionValue, boneRows[indexW]),
            dot(inPositionValue, boneRows[indexW + 1]),
            dot(inPositionValue, boneRows[indexW + 2])
        ) * boneWeights.w
            + sum,
        1.0
    );
}
