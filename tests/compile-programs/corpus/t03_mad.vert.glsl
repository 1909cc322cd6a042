#version 450
// t03: multiply-adds with negations and swizzles, two table reads by indices from an attribute.
// range: a 0 7
in vec4 a;
uniform vec4 tab[16];
uniform vec4 base;
out vec4 position;
out vec4 color;
out vec4 texcoord0;

void main()
{
    vec4 r0 = a;
    vec4 r1 = base.wzyx;
    vec4 r2 = r0 * base + r1;
    vec4 r3 = -r0 * base + r1;
    vec4 r4 = r0 * -base + r1;
    vec4 r5 = r0 * base - r1;
    vec4 r6 = -r0 * r1 - base;
    vec3 r7 = vec3(r0.xx * r1.ww + base.zw, 0.0);
    position = r2 * r3 + r4;
    color.xyz = r5.xyz * r6.xyz + r7;
    color.w = r0.w * tab[3].x + r1.y;
    vec4 r9 = r0 * tab[int(r0.x)] + r1;
    vec4 r10 = r0 * tab[int(r0.y) + 2] + r1;
    texcoord0 = r9 + r10;
}
