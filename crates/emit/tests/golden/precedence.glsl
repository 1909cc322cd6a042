#version 450
// example.shbin #0, for PICA200

layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;

layout(location = 1) out vec4 color;

void main() {
    float f0 = a.x * a.y + a.z;
    float f1 = (a.x + a.y) * a.z;
    float f2 = a.x - (a.y - a.z);
    float f3 = a.x - a.y - a.z;
    float f4 = a.x / (a.y * a.z);
    float f5 = a.x * a.y / a.z;
    float f6 = -(a.x + a.y);
    float f7 = -a.x * a.y;
    float f8 = -(-a.x);
    float f9 = a.x - -a.y;
    float f10 = a.x - -1.5;
    float f11 = -(-1.5);
    float f12 = -1.5;
    float f13 = dot(a + b, (b - a).wzyx);
    float f14 = (-a).w;
    float f15 = a.x < a.y ? (a.y < a.z ? a.x : a.y) : a.z < a.x ? a.y : a.z;
    float f16 = (a.x < a.y ? a.x : a.y) + a.z;
    int i0 = (int(a.x) + int(a.y)) & (int(a.x) << 2);
    int i1 = (int(a.x) | int(a.y)) >> 1;
    int i2 = ~int(a.x) ^ (int(a.x) & int(a.y));
    int i3 = -int(0x80000000u) * -3;
    bool c0 = (a.x < a.y && a.y < a.z) || a.x < a.z;
    bool c1 = (a.x < a.y || a.y < a.z) && a.x < a.z;
    bool c2 = !(a.x < a.y);
    bool c3 = (a.x < a.y) ^^ !true;
    bool c4 = (a.x < a.y) == (a.y < a.z);
    color = vec4(f0);
    gl_Position = a;
}
