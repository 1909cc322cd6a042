// refused: 6: position
#version 450
in vec4 inColor;
out vec4 color;

void main()
{
    color = inColor;
}
