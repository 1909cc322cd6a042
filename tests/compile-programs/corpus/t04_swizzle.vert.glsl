#version 450
// t04: stores through many masks and swizzles, as the assembly does them one after the other.
in vec4 v;
uniform vec4 u;
out vec4 position;
out vec4 color;

void main()
{
    vec4 r0 = v;
    vec4 r1;
    r1.x = r0.x;
    r1.y = r0.y;
    r1.z = r0.z;
    r1.w = r0.w;
    r1.xy = r0.yx;
    r1.xz = r0.zy;
    r1.xw = u.wx;
    r1.yz = u.xy;
    r1.yw = -u.yw;
    r1.zw = -u.wx;
    r1.xyz = r0.bgr;
    r1.xyw = r0.stq;
    r1.xzw = r0.qts;
    r1.yzw = r0.bgr;
    r1.rgba = r0.rgba;
    r1.st = r0.pq;
    vec4 r2 = u + r0.wzyx;
    r2 = -u.xxxx - r0.yyyy;
    r2.zw = -r0.zz * r0.yz;
    position = r1;
    r2.x = -u.y + r0.x;
    color = r2;
}
