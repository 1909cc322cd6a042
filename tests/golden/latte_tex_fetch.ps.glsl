#version 330
// latte_tex_fetch.ps.bin: fragment program, latte
// Assumed: texels of buffer textures have four components, and the driver's constants say so; no
// number is so small that the machine takes it for zero.

layout(std140) uniform cb0 {
    vec2 scale;
};

uniform sampler2D s;
uniform isampler2D si;
uniform usampler3D su;
uniform samplerBuffer sb;

out vec4 color0;

void main() {
    ivec2 uv = ivec2(vec2(gl_FragCoord.x, gl_FragCoord.y * scale.x + scale.y));
    vec4 color = texelFetch(s, uv, 0)
        + vec4(texelFetch(si, uv, 1))
        + vec4(texelFetch(su, ivec3(uv, 2), 0))
        + texelFetch(sb, uv.x);
    color0 = vec4(color.xyz + vec3(vec2(textureSize(s, 0)), float(textureSize(sb))), color.w);
}
