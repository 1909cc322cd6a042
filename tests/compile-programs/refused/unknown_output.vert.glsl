// refused: 6: glow
#version 450
in vec4 inPosition;

out vec4 color;
out vec4 glow;

void main()
{
    color = inPosition;
    glow = inPosition * 0.5;
    gl_Position = inPosition;
}
