#version 460
// hint: i0 0 7
layout(location = 0) flat in ivec3 i0;
layout(location = 0) out vec4 o0;
layout(location = 1) out vec4 o1;
layout(binding = 0, rgba32ui) readonly uniform uimage3D m0;
layout(binding = 1, rgba16f) readonly uniform image2D m1;
layout(binding = 2, rgba8) readonly uniform image2D m2;

void main() {
    o0 = unpackUnorm4x8(imageLoad(m0, i0 & 7).w);
    o1 = imageLoad(m1, i0.xy & 7) + imageLoad(m2, i0.yz & 7);
}
