#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 palette[40];
    mat4 camera;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;
layout(location = 2) in vec4 packedIndex;

layout(location = 0) out vec4 color;

void main() {
    int index = int(floor(packedIndex.x + 0.5) * 4.0);
    vec3 paletteValue = palette[index].xyz;
    vec3 paletteValue2 = palette[index + 1].xyz;
    vec3 paletteValue3 = palette[index + 2].xyz;
    color = vec4(
        max(
            inNormal.z * paletteValue3 + (inNormal.x * paletteValue + paletteValue2 * inNormal.y),
            0.0
        ),
        1.0
    );
    gl_Position = camera * vec4(
        inPosition.z * paletteValue3
            + (inPosition.y * paletteValue2
                + (palette[index + 3].xyz + paletteValue * inPosition.x)),
        1.0
    );
}
