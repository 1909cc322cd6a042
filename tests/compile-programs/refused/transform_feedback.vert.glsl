// refused: 5: transform feedback
#version 450
in vec4 inPosition;

layout(xfb_buffer = 0, xfb_offset = 0) out vec4 color;

void main()
{
    color = inPosition;
    gl_Position = inPosition;
}
