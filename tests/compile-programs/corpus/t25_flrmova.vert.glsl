#version 450
// t25: floor, and a table as large as the whole uniform file read by an attribute.
// range: which 0 95 integer
// range: pos -3.998046875 4.001953125
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 which;
uniform vec4 tab[96];
out vec4 position;
out vec4 color;

void main()
{
    position = floor(pos);
    color = tab[int(which.x)];
}
