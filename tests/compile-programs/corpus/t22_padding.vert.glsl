#version 450
// t22: loops with breaks, a jump out of a loop, calls under conditions.
in vec4 v;
uniform bool b;
uniform vec4 u;
out vec4 position;

vec4 r0;

void f() { r0 += u; }

void body()
{
    bool less = false;
    for (int i = 0; i < 3; i++) {
        less = u.x < r0.x;
        if (less) break;
    }
    for (int i = 0; i < 3; i++) {
        if (b) return;
        else if (b) f();
    }
    if (less) {
        for (int i = 0; i < 3; i++) f();
    } else {
        if (b) r0 += u;
    }
}

void main()
{
    r0 = v;
    body();
    position = r0;
}
