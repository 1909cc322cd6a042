#version 460
// A loop that the compiler wrote out, first with branches and then without, has its way out in each pass.
// has: while (i < 24)
// has: break;
// lacks: squared
// hint: a -1.5 1.5
layout(location = 0) in vec2 a;
layout(std140, binding = 0) uniform U { vec2 c; };
layout(location = 0) out vec4 o;

void main() {
    vec2 z = a;
    int n = 0;
    for (n = 0; n < 24; n++) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        if (dot(z, z) > 4.0) break;
    }
    o = vec4(float(n) / 24.0, vec2(n), 1.0);
}
