#version 450
// t13: what remains of many swizzles: a partial sum and a negated multiply-add.
in vec4 v;
uniform vec4 u;
out vec4 position;

void main()
{
    vec4 r0 = v;
    vec4 r1 = u;
    r1.xy = u.xy + r0.xy;
    position = -r0 * u - r1;
}
