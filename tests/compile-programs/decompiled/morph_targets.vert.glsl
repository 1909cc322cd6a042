#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand
// of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 weights;
    mat4 mvp;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 target0;
layout(location = 2) in vec4 target1;
layout(location = 3) in vec4 target2;
layout(location = 4) in vec4 inColor;

layout(location = 0) out vec4 color;

void main() {
    color = inColor;
    gl_Position = mvp * vec4(
        (target2.xyz - inPosition.xyz) * weights.z
            + ((target1.xyz - inPosition.xyz) * weights.y
                + mix(inPosition.xyz, target0.xyz, weights.xxx)),
        1.0
    );
}
