#version 450
// t17: the vertex part: a matrix by rows and a colour (the output that only feeds the geometry program is left out).
in vec4 p;
in vec4 c;
uniform vec4 mv[4];
out vec4 position;
out vec4 color;

void main()
{
    position = vec4(dot(mv[0], p), dot(mv[1], p), dot(mv[2], p), dot(mv[3], p));
    color = c;
}
