#version 450
// t29: distance vectors, as the instruction of that name makes them.
in vec4 a;
in vec4 b;
uniform vec4 cc[4];
out vec4 position;
out vec4 color;

vec4 distanceVector(vec4 s, vec4 t)
{
    return vec4(1.0, s.y * t.y, s.z, t.w);
}

void main()
{
    position = distanceVector(a, b);
    color = distanceVector(a, cc[2]);
}
