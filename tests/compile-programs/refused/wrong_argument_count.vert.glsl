// refused: 14: bend
#version 450
in vec4 inPosition;

out vec4 color;

vec4 bend(vec4 p, float amount)
{
    return p * amount;
}

void main()
{
    color = bend(inPosition);
    gl_Position = inPosition;
}
