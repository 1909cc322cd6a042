#version 450
// t02: the results of dp3, dp4 and dph, and a row of a matrix chosen by a floor.
// range: p 0 1.9375
// range: n 0 1.9375
in vec4 p;
in vec4 n;
uniform vec4 mtx[4];
uniform vec4 k;
out vec4 position;
out vec4 color;

void main()
{
    position.x = dot(mtx[0].xyz, p.xyz);
    position.y = dot(mtx[1], p);
    position.z = dot(mtx[2].xyz, p.xyz) + p.w;
    position.w = dot(p.xyz, mtx[3].xyz) + mtx[3].w;
    color = mtx[int(floor(p.x + n.x))] + p;
}
