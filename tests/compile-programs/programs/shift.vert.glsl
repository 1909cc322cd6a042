#version 450
in vec4 inPosition;

in float inFlags;
out vec4 color;

void main()
{
    int flags = int(inFlags);
    color = vec4(float(flags >> 2));
    gl_Position = inPosition;
}
