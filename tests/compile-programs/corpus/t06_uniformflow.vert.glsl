#version 450
// t06: bool uniforms, an array of them with constant indices, under conditions, calls and jumps.
in vec4 v;
uniform vec4 u;
uniform bool flags[4];
uniform bool lone;
out vec4 position;
out vec4 color;

vec4 r1;

void helper()
{
    r1 += u;
}

void main()
{
    vec4 r0 = v;
    r1 = u;
    if (flags[0]) r1 += r0;
    if (flags[3]) {
        r1 += r0;
    } else {
        r1 *= r0;
        if (lone) r1 = floor(r1);
    }
    if (flags[1]) helper();
    if (lone) helper();
    if (!flags[2]) r1 += r0;
    r1 += r0;
    if (lone) r1 *= r0;
    position = r1;
    color = r0;
}
