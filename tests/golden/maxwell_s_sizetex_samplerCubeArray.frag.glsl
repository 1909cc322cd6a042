#version 450
// maxwell_s_sizetex_samplerCubeArray.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: w of positions is not zero; directions into cubes are not zero; no number is so small
// that the machine takes it for zero.

layout(binding = 0) uniform samplerCubeArray texture0;

layout(location = 0) in vec3 varying0;

layout(location = 0) out vec4 color0;

void main() {
    vec4 texel = texture(texture0, vec4(varying0.xy, varying0.z + 5.0, 1.0));
    color0 = vec4(vec3(textureSize(texture0, 0)) + texel.xyz, texel.w);
}
