// refused: 9: expected
#version 450
in vec4 inPosition;

out vec4 color;

void main()
{
    color = inPosition + ) 2.0;
    gl_Position = inPosition;
}
