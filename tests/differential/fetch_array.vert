#version 460
// A layer and two coordinates, in this order in the registers.
// has: texelFetch(texture3, ivec3(
layout(location = 0) in ivec4 i0;
layout(binding = 3) uniform sampler2DArray t3;
layout(location = 0) out vec4 o0;

void main() {
    o0 = texelFetch(t3, ivec3(i0.x & 7, i0.y & 7, i0.z & 3), 0);
    gl_Position = texelFetch(t3, ivec3(1), 0);
}
