#version 450
// t18 b, with the library: as a, with a texture coordinate tinted under a bool uniform and a constant colour.
in vec4 p;
in vec4 t;
uniform vec4 proj[4];
uniform vec4 mview[4];
uniform vec4 tintB[2];
uniform vec4 _tmp;
uniform bool useTint;
out vec4 position;
out vec4 texcoord0;
out vec4 color;

vec4 xform(vec4 r15)
{
    return _tmp + vec4(dot(mview[0], r15), dot(mview[1], r15), dot(mview[2], r15), dot(mview[3], r15));
}

void main()
{
    vec4 r0 = xform(vec4(p.xyz, 1.0));
    vec4 r1 = t;
    if (useTint) r1 *= tintB[1];
    position = vec4(dot(proj[0], r0), dot(proj[1], r0), dot(proj[2], r0), dot(proj[3], r0));
    texcoord0 = r1;
    color = vec4(0.5, 0.25, 0.125, 1.0);
}
