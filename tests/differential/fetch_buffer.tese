#version 460
// A buffer of texels beside a texture of one axis that is fetched from too.
// has: uniform samplerBuffer texture0
// has: uniform sampler1D texture1
layout(isolines, equal_spacing) in;
layout(binding = 0) uniform samplerBuffer t0;
layout(binding = 1) uniform sampler1D t1;
layout(location = 0) out vec3 o0;

void main() {
    gl_Position = vec4(0.0);
    o0 = texelFetch(t0, 1).zzw + texelFetch(t1, 3, 0).xyz;
}
