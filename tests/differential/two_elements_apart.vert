#version 460
// Both elements that an index leads to are of one array, though the second is only moved from what may be an integer.
// lacks: memory2
// hint: gl_InstanceID 0 3
layout(location = 0) in vec2 i0;
layout(std430, binding = 1) readonly buffer Store1 { float d1[]; } s1;
layout(location = 0) flat out ivec2 o0;

void main() {
    float a1[2] = float[2](clamp(i0.y, -16.0, 16.0), gl_VertexID > 5 ? s1.d1[1] : i0.x);
    o0 = ivec2(int(a1[gl_InstanceID & 1] * 8.0 + 0.0613));
}
