#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 k;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inA;
layout(location = 2) in vec4 inB;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;
layout(location = 2) out vec2 texcoord1;

void main() {
    vec2 sum = k.zw + inA.xy;
    vec2 product = inB.yx * inB.xz;
    color = vec4(product.x - k.y, product.y, -(sum.y * inB.w), -sum.x);
    texcoord0 = vec2(inB.z, inA.w);
    texcoord1 = k.xy + sum.x;
    gl_Position = mvp * inPosition;
}
