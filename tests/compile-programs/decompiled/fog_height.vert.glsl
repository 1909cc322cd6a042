#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand
// of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 model;
    mat4 viewProjection;
    vec4 depthFog;
    vec4 heightFog;
    vec4 fogColor;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inColor;

layout(location = 0) out vec4 color;

void main() {
    vec4 worldPosition = model * vec4(inPosition.xyz, 1.0);
    vec4 position = viewProjection * worldPosition;
    color = mix(
        inColor,
        fogColor,
        vec4(min(
            0.875,
            max(
                clamp(depthFog.y * (position.w - depthFog.x), 0.0, 1.0),
                clamp(heightFog.y * (heightFog.x - worldPosition.y), 0.0, 1.0)
            )
        ))
    );
    gl_Position = position;
}
