#version 460
// An index that steps over several slots goes through an array of structures, whose number of elements the code does not say.
// has: _items[i].
// lacks: floatBits
// hint: count 0 3
// hint: kind 0 1
layout(location = 0) in vec4 p;
struct Wave { int kind; float speed; vec3 direction; vec4 color; };
layout(std140, binding = 0) uniform U { int count; vec4 base; Wave waves[4]; };
layout(location = 0) out vec4 o;

void main() {
    vec4 sum = base;
    for (int i = 0; i < count; i++) {
        float along = dot(p.xyz, waves[i].direction) * waves[i].speed;
        sum += waves[i].kind == 1 ? waves[i].color * along : waves[i].color;
    }
    gl_Position = p;
    o = sum;
}
