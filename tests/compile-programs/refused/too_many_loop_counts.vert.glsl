// refused: 9: 4
#version 450
in vec4 inPosition;

uniform int a;
uniform int b;
uniform int c;
uniform int d;
uniform int e;
out vec4 color;

void main()
{
    color = inPosition;
    for (int i = 0; i < a; i++) color = color * 0.5 + 0.25;
    for (int i = 0; i < b; i++) color = color.yzwx + 0.25;
    for (int i = 0; i < c; i++) color = color * color;
    for (int i = 0; i < d; i++) color = color.wxyz - 0.25;
    for (int i = 0; i < e; i++) color = 1.0 - color;
    gl_Position = inPosition;
}
