#version 450
// t18 a, with the library: model view plus an offset, projection, a tint times the position.
in vec4 p;
uniform vec4 proj[4];
uniform vec4 mview[4];
uniform vec4 tintA;
uniform vec4 _tmp;
out vec4 position;
out vec4 color;

vec4 xform(vec4 r15)
{
    return _tmp + vec4(dot(mview[0], r15), dot(mview[1], r15), dot(mview[2], r15), dot(mview[3], r15));
}

void main()
{
    vec4 r15 = vec4(p.xyz, 1.0);
    vec4 r0 = xform(r15);
    position = vec4(dot(proj[0], r0), dot(proj[1], r0), dot(proj[2], r0), dot(proj[3], r0));
    color = tintA * r15;
}
