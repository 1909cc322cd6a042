#version 450
// t01: two inputs to two outputs.
in vec4 pos;
in vec4 col;
out vec4 position;
out vec4 color;

void main()
{
    position = pos;
    color = col;
}
