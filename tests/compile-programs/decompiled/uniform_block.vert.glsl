#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand
// of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 viewMatrix;
    mat4 projectionMatrix;
    vec4 fogColor;
    vec4 fogStart;
    vec4 modelMatrix[4];
    vec4 tints[2];
    vec4 blend;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inColor;

layout(location = 0) out vec4 color;

void main() {
    vec4 viewPosition = viewMatrix * vec4(
        inPosition.z * modelMatrix[2].xyz
            + (inPosition.y * modelMatrix[1].xyz
                + (modelMatrix[3].xyz + modelMatrix[0].xyz * inPosition.x)),
        1.0
    );
    vec4 blendValue = mix(tints[0], tints[1], blend.xxxx);
    color = vec4(
        mix(
            blendValue.xyz * inColor.xyz,
            fogColor.xyz,
            vec3(clamp(-((fogStart.x + viewPosition.z * 0.0625) * 2.0), 0.0, 1.0))
        ),
        blendValue.w * inColor.w
    );
    gl_Position = projectionMatrix * viewPosition;
}
