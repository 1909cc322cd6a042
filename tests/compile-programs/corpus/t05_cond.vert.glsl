#version 450
// t05: comparisons of every kind, nested conditions, a subroutine called under a condition, a forward jump.
in vec4 v;
uniform vec4 u;
uniform vec4 t;
out vec4 position;

// range: v -2 2
// range: u -1.5 1.5

vec4 r5;

void leaf(vec4 r4)
{
    r5 += r4;
}

void main()
{
    vec4 r0 = v;
    vec4 r4 = u;
    r5 = t;
    if (u.x == r0.x) r5 += r4;
    if (!(u.x < r0.x)) r5 += r4;
    else r5 -= r4;
    bool cx = -u.w > r0.z;
    bool cy = -u.z >= r0.w;
    if (cy) r5 *= r4;
    if (!cy) r5 *= r4;
    cx = r0.x >= r4.x;
    cy = r0.y > r4.y;
    if (cx && cy) {
        r5 *= r4;
        if (!cx || !cy) r5 += r4;
        else r5 = max(r5, r4);
    }
    cx = r0.x <= r4.x;
    cy = r0.y == r4.y;
    if (!cx && cy) r5 = min(r5, r4);
    if (cx || !cy) r5 = min(r5, r4);
    if (cx) leaf(r4);
    if (cx && cy) leaf(r4);
    cx = r0.x != r4.x;
    cy = r0.y < r4.y;
    if (cy) {
        r5 += r4;
        r5 += r4;
    }
    position = r5;
}
