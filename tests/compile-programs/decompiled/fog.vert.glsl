#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; square
// roots are taken of positive numbers; no operand of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 modelView;
    mat4 projection;
    vec4 fogDensity;
    vec4 fogColor;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inColor;

layout(location = 0) out vec4 color;

void main() {
    vec4 viewPosition = modelView * inPosition;
    float product = fogDensity.x * length(viewPosition.xyz);
    float exponential = exp2(-(product * product * 0.0625));
    color = vec4(mix(fogColor.xyz, inColor.xyz, vec3(exponential)), exponential);
    gl_Position = projection * viewPosition;
}
