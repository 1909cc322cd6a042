#version 450
// t27: a multiply-add of three inputs and a dot product.
in vec4 a;
in vec4 b;
in vec4 c;
out vec4 position;
out vec4 color;

void main()
{
    position = a * b + c;
    color = vec4(dot(a, b));
}
