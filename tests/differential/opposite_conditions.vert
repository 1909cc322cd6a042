#version 460
// Instructions under a condition and under its opposite.
// lacks: BitsTo
layout(std140, binding = 0) uniform B0 {
    ivec4 u0a;
    vec4 u0b;
};
layout(location = 0) in vec4 i0;
layout(binding = 1, r32f) uniform image1D m1;

void main() {
    gl_Position = ((uint(abs(i0.x)) & uint(abs(i0.y))) == uint(u0a.x) * 31u) ? imageLoad(m1, (gl_VertexID + u0a.y) & 15)
        : vec4(lessThan(i0 + u0b, vec4(5.0, -0.75, 0.25, 5.0)));
}
