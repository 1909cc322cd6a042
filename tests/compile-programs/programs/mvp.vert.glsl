#version 450
// The plainest program of all: one matrix, a colour and a texture coordinate passed through.
layout(location = 0) in vec3 inPosition;
layout(location = 1) in vec2 inTexcoord;
layout(location = 2) in vec4 inColor;

uniform mat4 mvp;

out vec4 color;
out vec2 texcoord0;

void main()
{
    gl_Position = mvp * vec4(inPosition, 1.0);
    color = inColor;
    texcoord0 = inTexcoord;
}
