#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 textureMatrix[3];
    vec4 scroll;
    vec4 projector[4];
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inTexcoord;

layout(location = 0) out vec2 texcoord0;
layout(location = 0, component = 2) out float texcoord0w;
layout(location = 1) out vec2 texcoord1;
layout(location = 2) out vec2 texcoord2;
layout(location = 3) out vec4 color;

void main() {
    texcoord0 = vec2(
        inTexcoord.y * textureMatrix[0].y
            + (textureMatrix[0].z + textureMatrix[0].x * inTexcoord.x),
        inTexcoord.y * textureMatrix[1].y
            + (textureMatrix[1].z + textureMatrix[1].x * inTexcoord.x)
    );
    texcoord0w = inTexcoord.y * textureMatrix[2].y
        + (textureMatrix[2].z + textureMatrix[2].x * inTexcoord.x);
    texcoord1 = scroll.xy + scroll.zw * inTexcoord.xy;
    texcoord2 = vec2(dot(projector[0], inPosition), dot(projector[1], inPosition)) * 0.5 + 0.5;
    color = vec4(1.0, 1.0, 1.0, 0.5);
    gl_Position = mvp * inPosition;
}
