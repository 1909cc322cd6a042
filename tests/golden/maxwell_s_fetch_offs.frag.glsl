#version 450
// maxwell_s_fetch_offs.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: textures have fewer than 65536 layers; no number is so small that the machine takes it
// for zero.

layout(binding = 0) uniform sampler2DArray texture0;
layout(binding = 1) uniform isampler2DArray texture1;
layout(binding = 2) uniform sampler1DArray texture2;

layout(location = 0) flat in ivec4 varying0;

layout(location = 0) out vec4 color0;

void main() {
    color0 = texelFetchOffset(texture0, varying0.xyz, 0, ivec2(1, -1))
        + texelFetch(texture0, varying0.yzw, varying0.x)
        + vec4(texelFetch(texture1, ivec3(varying0.z & 3, 2, varying0.x & 1), 0))
        + texelFetch(texture2, varying0.xy, 0);
}
