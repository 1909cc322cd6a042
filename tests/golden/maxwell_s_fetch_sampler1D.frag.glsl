#version 450
// maxwell_s_fetch_sampler1D.frag.dksh#0/fragment: fragment program, maxwell

layout(binding = 0) uniform sampler1D texture0;

layout(location = 0) flat in int varying0;

layout(location = 0) out vec4 color0;

void main() {
    color0 = texelFetch(texture0, varying0 & 7, 0);
}
