#version 300 es
// Three texture coordinates from one: a texture matrix, an offset and a projected one.
in vec4 inPosition;
in vec2 inTexcoord;
uniform mat4 mvp;
uniform mat3 textureMatrix;
uniform vec4 scroll;
uniform mat4 projector;
out vec2 texcoord0;
out float texcoord0w;
out vec2 texcoord1;
out vec2 texcoord2;
out vec4 color;

void main()
{
    vec3 turned = textureMatrix * vec3(inTexcoord, 1.0);
    texcoord0 = turned.xy;
    texcoord0w = turned.z;
    texcoord1 = inTexcoord * scroll.zw + scroll.xy;
    vec4 projected = projector * inPosition;
    texcoord2 = projected.xy * 0.5 + 0.5;
    color = vec4(1.0, 1.0, 1.0, 0.5);
    gl_Position = mvp * inPosition;
}
