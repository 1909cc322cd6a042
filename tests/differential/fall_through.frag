#version 460
// hint: i0 0 7
layout(location = 0) flat in int i0;
layout(location = 1) in vec4 i1;
layout(location = 0) out vec4 o0;

void main() {
    vec4 v = i1;
    switch (i0 & 7) {
    case 0:
        v *= 2.0;
    case 1:
        v += 1.0;
        break;
    default:
        v.x = v.y * v.z;
        break;
    case 5:
        v = v.wzyx;
    }
    o0 = v;
}
