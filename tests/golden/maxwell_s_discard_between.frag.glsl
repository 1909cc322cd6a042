#version 450
// maxwell_s_discard_between.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: w of positions is not zero; no number is so small that the machine takes it for zero;
// the sign of a zero does not matter, and no NaN is compared.

layout(binding = 0) uniform sampler2D texture0;
layout(binding = 1) uniform sampler2D texture1;

layout(location = 0) in vec2 varying0;

layout(location = 0) out vec4 color0;

void main() {
    vec4 texel = texture(texture0, varying0);
    if (texel.x < 0.25) {
        discard;
    }
    color0 = texture(texture1, varying0 * 2.0) * texel;
}
