// refused: 10: 8
#version 450
in vec4 inPosition;

uniform vec4 table[8];
out vec4 color;

void main()
{
    color = table[8];
    gl_Position = inPosition;
}
