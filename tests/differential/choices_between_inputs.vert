#version 460
// An input beside a uniform, chosen by a condition in front of each move.
// lacks: BitsTo
// has: in vec
layout(std140, binding = 1) uniform B1 {
    float u1a;
    ivec4 u1b;
};
layout(location = 0) in vec3 i0;
layout(location = 0) flat out uint o0;

void main() {
    gl_Position = vec4(0.0);
    o0 = uint(abs(floor(u1b.z == u1b.x ? i0.z : u1a)));
}
