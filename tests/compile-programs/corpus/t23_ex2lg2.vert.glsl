#version 450
// t23: a power of two and a logarithm.
// range: pos 0.125 4
in vec4 pos;
out vec4 position;
out vec4 color;

void main()
{
    position = vec4(exp2(pos.x));
    color = vec4(log2(pos.x));
}
