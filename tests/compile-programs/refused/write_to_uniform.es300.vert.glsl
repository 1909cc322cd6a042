#version 300 es
// refused: 9: tint
in vec4 inPosition;
uniform vec4 tint;
out vec4 color;

void main()
{
    tint = tint * 0.5;
    color = tint;
    gl_Position = inPosition;
}
