#version 450
// maxwell_f02_alltex.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: w of positions is not zero; directions into cubes are not zero; textures have fewer than
// 65536 layers; no number is so small that the machine takes it for zero.

layout(binding = 0) uniform sampler1D texture0;
layout(binding = 1) uniform sampler2D texture1;
layout(binding = 2) uniform sampler3D texture2;
layout(binding = 3) uniform samplerCube texture3;
layout(binding = 4) uniform sampler1DArray texture4;
layout(binding = 5) uniform sampler2DArray texture5;
layout(binding = 6) uniform samplerCubeArray texture6;

layout(location = 0) in vec4 varying0;

layout(location = 0) out vec4 color0;

void main() {
    color0 = texture(texture0, varying0.x)
        + texture(texture1, varying0.xy)
        + (texture(texture2, varying0.xyz) + texture(texture3, varying0.xyz))
        + (texture(texture4, varying0.xy) + texture(texture5, varying0.xyz))
        + texture(texture6, varying0);
}
