#version 450
// Stores through masks and swizzles, compound assignment on parts, components chosen by constant index.
in vec4 inPosition;
in vec4 inA;
in vec4 inB;
uniform mat4 mvp;
uniform vec4 k;
out vec4 color;
out vec2 texcoord0;
out vec2 texcoord1;

void main()
{
    vec4 v = inA;
    v.wz = inB.xy;
    v.xy += k.zw;
    v.yzw *= inB.wxz;
    v[2] -= k[1];
    color.rg = v.ba;
    color.ba = -v.gr;
    texcoord0.t = inA.q;
    texcoord0.s = inB.p;
    texcoord1 = v.xx + k.yx;
    texcoord1.yx = texcoord1.xy;
    gl_Position = mvp * inPosition;
}
