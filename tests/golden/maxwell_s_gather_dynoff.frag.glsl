#version 450
// maxwell_s_gather_dynoff.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: w of positions is not zero; offsets of gathers are between -32 and 31.

layout(binding = 0) uniform sampler2D texture0;

layout(location = 0) in vec2 varying0;
layout(location = 1) flat in ivec2 varying1;

layout(location = 0) out vec4 color0;

void main() {
    color0 = textureGatherOffset(texture0, varying0, varying1);
}
