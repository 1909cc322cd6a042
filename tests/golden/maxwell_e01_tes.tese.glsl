#version 450
// maxwell_e01_tes.tese.dksh#0/tess-eval: tess-eval program, maxwell
// Assumed: no number is so small that the machine takes it for zero; a product may be rounded
// before something is added to it; no operand of abs, clamp, mix or fract is NaN or infinite.

layout(quads, fractional_odd_spacing, cw) in;

layout(binding = 0) uniform sampler2D texture0;

layout(location = 0) in vec3 varying0[];
layout(location = 1) patch in vec4 patch1;

layout(location = 0) out vec3 varying0_2;

void main() {
    vec4 position = mix(
        mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x),
        mix(gl_in[3].gl_Position, gl_in[2].gl_Position, gl_TessCoord.x),
        gl_TessCoord.y
    );
    gl_Position = vec4(
        position.x,
        patch1.w * textureLod(texture0, gl_TessCoord.xy, 0.0).x + position.y,
        position.zw
    );
    varying0_2 = gl_TessLevelOuter[1] * mix(varying0[0], varying0[2], gl_TessCoord.x);
}
