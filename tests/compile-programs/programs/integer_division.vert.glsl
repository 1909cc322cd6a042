#version 450
in vec4 inPosition;

// range: inNumbers 1 100
in vec2 inNumbers;
out vec4 color;

void main()
{
    int a = int(inNumbers.x);
    int b = int(inNumbers.y);
    color = vec4(float(a / b));
    gl_Position = inPosition;
}
