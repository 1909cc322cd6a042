// refused: 7: 16
#version 450
in mat4 instance;
in mat4 previous;
in mat4 next;
in mat4 last;
in vec4 inPosition;
out vec4 color;

void main()
{
    gl_Position = instance * (previous * (next * (last * inPosition)));
    color = vec4(1.0);
}
