#version 450
// t26: every comparison, single and combined, as selections between two uniform components.
// range: a -2 2 integer
// range: b -2 2 integer
in vec4 a;
in vec4 b;
uniform vec4 cc[8];
out vec4 position;
out vec4 color;

void main()
{
    float no = cc[7].x;
    float yes = cc[7].y;
    vec4 r8 = vec4(no);
    if (a.x == b.x) r8.x = yes;
    if (a.y != b.y) r8.y = yes;
    if (a.x < b.x) r8.z = yes;
    if (a.y <= b.y) r8.w = yes;
    vec4 r9 = vec4(no);
    bool cx = a.x > b.x;
    bool cy = a.y >= b.y;
    if (cx && cy) r9.x = yes;
    if (cx || cy) r9.y = yes;
    if (!cx && cy) r9.z = yes;
    if (!cx || !cy) r9.w = yes;
    position = r8;
    color = r9;
}
