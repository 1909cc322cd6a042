#version 450
// t24: a reciprocal and a reciprocal square root.
// range: pos 0.125 4
in vec4 pos;
out vec4 position;
out vec4 color;

void main()
{
    position = vec4(1.0 / pos.x);
    color = vec4(inversesqrt(pos.x));
}
