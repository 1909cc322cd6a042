#version 460
// has: samplerBuffer
// lacks: sampler1D
layout(binding = 3) uniform usamplerBuffer t3;
layout(location = 0) flat out uvec3 o0;
layout(location = 1) flat out uint o1;

void main() {
    gl_Position = vec4(1.0);
    o0 = texelFetch(t3, gl_VertexID & 15).zzx;
    o1 = texelFetch(t3, gl_InstanceID & 15).w;
}
