#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand
// of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 view_;
    vec4 projection[4];
    vec4 horizonColor;
    vec4 zenithColor;
};

layout(location = 0) in vec4 inPosition;

layout(location = 0) out vec4 color;
layout(location = 1) out vec3 view;

void main() {
    vec4 viewPosition = vec4(mat3(view_) * inPosition.xyz, 1.0);
    float scaled = clamp(inPosition.y * 0.25, 0.0, 1.0);
    color = vec4(mix(horizonColor.xyz, zenithColor.xyz, vec3(scaled * scaled)), 1.0);
    view = inPosition.xyz;
    gl_Position = vec4(
        dot(viewPosition, projection[0]),
        dot(viewPosition, projection[1]),
        vec2(dot(viewPosition, projection[3]))
    );
}
