#version 450
// t07: loops of constant and uniform length, nested, with the loop counter as an index and a break.
// range: v -0.5 0.5
in vec4 v;
uniform ivec4 user;
uniform vec4 tab[24];
out vec4 position;

vec4 r1;

void accumulate()
{
    for (int i = 4; i <= 6; i += 2) {
        r1 += tab[i];
        r1 += tab[i + 3];
    }
}

void main()
{
    vec4 r0 = v;
    r1 = tab[0];
    for (int i = 0; i < 4; i++) {
        r1 += tab[i];
        if (r1.x > r0.x) break;
        r1 *= r0;
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 4; j <= 6; j += 2) {
            r1 += r0 * tab[j + 1];
            r1 = r0 * r1 + tab[j];
        }
    }
    for (int i = 0; i < user.x; i++) accumulate();
    position = r1;
}
