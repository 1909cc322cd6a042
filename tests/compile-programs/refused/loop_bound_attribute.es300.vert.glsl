#version 300 es
// refused: 10: bound
in vec4 inPosition;
in float inCount;
out vec4 color;

void main()
{
    vec4 sum = vec4(0.0);
    for (int i = 0; i < int(inCount); i++) {
        sum = sum * 0.5 + inPosition;
    }
    color = sum;
    gl_Position = inPosition;
}
