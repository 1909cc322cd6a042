#version 450
// maxwell_s_texarr_dyn2.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: w of positions is not zero; textures have fewer than 65536 layers.

layout(binding = 2) uniform sampler2DArray texture2[3];

layout(location = 0) in vec3 varying0;
layout(location = 1) flat in int varying1;

layout(location = 0) out vec4 color0;

void main() {
    color0 = textureLod(texture2[clamp(varying1, 0, 2)], varying0, 1.0);
}
