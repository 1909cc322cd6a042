// refused: 9: double
#version 450
in vec4 inPosition;

out vec4 color;

void main()
{
    double wide = double(inPosition.x) * 0.1lf;
    color = vec4(float(wide));
    gl_Position = inPosition;
}
