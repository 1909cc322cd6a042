#version 450
// t12: chains of calls, some under a bool uniform.
in vec4 v;
uniform bool b;
uniform vec4 u;
out vec4 position;

vec4 r0;
vec4 r1;

void d3() { r1 += u; }
void d2() { d3(); }
void d1() { d2(); d3(); }

void later()
{
    r1 *= u;
    if (b) {
        if (b) r1 *= r0;
    }
}

void main()
{
    r0 = v;
    r1 = u;
    d1();
    later();
    if (b) { }
    if (b) { d3(); } else { }
    if (b) { } else { d3(); }
    position = r1;
}
