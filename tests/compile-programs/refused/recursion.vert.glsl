// refused: 10: recurs
#version 450
in vec4 inPosition;

out vec4 color;

float factorial(float n)
{
    if (n < 1.5) return 1.0;
    return n * factorial(n - 1.0);
}

void main()
{
    color = vec4(factorial(inPosition.x));
    gl_Position = inPosition;
}
