#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand
// of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 viewProjection;
    vec4 right;
    vec4 up;
};

layout(location = 0) in vec4 inCenter;
layout(location = 1) in vec4 inCorner;
layout(location = 2) in vec4 inSize;

layout(location = 0) out vec2 texcoord0;
layout(location = 1) out vec4 color;

void main() {
    texcoord0 = inCorner.xy * 0.5 + 0.5;
    color = vec4(1.0);
    gl_Position = viewProjection * vec4(
        (inCorner.x * right.xyz + up.xyz * inCorner.y) * abs(inSize.x) + inCenter.xyz,
        1.0
    );
}
