#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 shape;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inTexcoord;

layout(location = 0) out vec2 texcoord0;
layout(location = 1) out vec2 texcoord1;
layout(location = 2) out vec4 color;

void main() {
    vec2 shifted = shape.xw + 4.0;
    float product = shape.z * shape.y;
    float sum = shifted.x * shifted.y + product;
    vec2 product2 = shape.yz * inTexcoord.xy;
    vec2 sum2 = shifted * inTexcoord.xy + vec2(-product2.y, product2.x);
    texcoord0 = vec2(shifted.y / sum, -(shape.y / sum)) * inTexcoord.x
        + vec2(shape.z / sum, shifted.x / sum) * inTexcoord.y;
    texcoord1 = shifted * sum2 + shape.yz * vec2(sum2.y, -sum2.x);
    color = vec4(shifted.x * shifted.x, -product, shifted.y * shifted.y, sum * 0.0625);
    gl_Position = mvp * inPosition;
}
