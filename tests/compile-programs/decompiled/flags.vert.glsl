#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand
// of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 lightDirection;
    vec4 materialColor;
    bool useLighting;
    bool useVertexColor;
    bool flipTexture;
    bool twoSided;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;
layout(location = 2) in vec4 inTexcoord;
layout(location = 3) in vec4 inColor;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    vec4 colorValue = useVertexColor ? materialColor * inColor : materialColor;
    vec3 colorValue2;
    if (useLighting) {
        float cosine = dot(lightDirection.xyz, inNormal.xyz);
        colorValue2 = colorValue.xyz * (twoSided ? abs(cosine) : max(0.0, cosine));
    } else {
        colorValue2 = colorValue.xyz + 0.25;
    }
    color = vec4(colorValue2, colorValue.w);
    texcoord0 = vec2(inTexcoord.x, flipTexture ? 1.0 - inTexcoord.y : inTexcoord.y);
    gl_Position = mvp * inPosition;
}
