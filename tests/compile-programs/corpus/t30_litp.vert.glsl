#version 450
// t30: what the lighting helper instruction does, spelt out, and selections on two signs.
in vec4 a;
uniform vec4 cc[4];
out vec4 position;
out vec4 color;

void main()
{
    position = vec4(max(a.x, 0.0), clamp(a.y, -127.99609375, 127.99609375), 0.0, max(a.w, 0.0));
    vec4 r8 = cc[0].xxxx;
    if (a.x >= 0.0) r8.x = cc[0].y;
    if (a.w >= 0.0) r8.y = cc[0].y;
    color = r8;
}
