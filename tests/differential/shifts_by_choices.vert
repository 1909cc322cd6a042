#version 460
// By how much is shifted is a choice between 0 and 1.
// lacks: BitsTo
layout(location = 0) in ivec4 i0;
layout(location = 1) in uvec4 i1;
layout(location = 0) flat out ivec4 o0;

void main() {
    gl_Position = vec4(i0 & 15);
    o0 = i0 << uvec4(lessThan(i1 / uvec4(100u), i1.wzyx));
}
