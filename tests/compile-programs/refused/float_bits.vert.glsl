// refused: 9: floatBitsToInt
#version 450
in vec4 inPosition;

out vec4 color;

void main()
{
    int bits = floatBitsToInt(inPosition.x);
    color = vec4(float(bits));
    gl_Position = inPosition;
}
