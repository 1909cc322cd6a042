#version 300 es
in vec4 inPosition;
in float inFlags;
out vec4 color;

void main()
{
    int flags = int(inFlags);
    color = (flags & 1) != 0 ? vec4(1.0) : vec4(0.0);
    gl_Position = inPosition;
}
