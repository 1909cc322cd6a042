// refused: 9: dFdx
#version 450
in vec4 inPosition;

out vec4 color;

void main()
{
    color = dFdx(inPosition);
    gl_Position = inPosition;
}
