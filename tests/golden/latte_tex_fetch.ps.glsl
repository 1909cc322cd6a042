#version 330
// latte_tex_fetch.ps.bin: fragment program, latte
// Assumed:
// - no number is so small that the machine takes it for zero

layout(std140) uniform cb0 {
    vec4 cb0_data[1];
};

layout(std140) uniform cb15 {
    vec4 cb15_data[16];
};

uniform sampler2D s;
uniform isampler2D si;
uniform usampler3D su;
uniform samplerBuffer sb;

layout(location = 0) out vec4 color0;

void main() {
    ivec2 index = ivec2(vec2(gl_FragCoord.x, gl_FragCoord.y * cb0_data[0].x + cb0_data[0].y));
    vec4 texel = texelFetch(sb, index.x);
    vec4 v0 = texelFetch(s, index, 0)
        + vec4(texelFetch(si, index, 1))
        + vec4(texelFetch(su, ivec3(index, 2), 0));
    color0 = vec4(
        v0.xyz
            + intBitsToFloat(floatBitsToInt(texel.xyz) & floatBitsToInt(cb15_data[14].xyz))
            + vec3(vec2(textureSize(s, 0)), float(floatBitsToInt(cb15_data[15].y))),
        v0.w
            + intBitsToFloat((floatBitsToInt(texel.w) & floatBitsToInt(cb15_data[14].w))
                | floatBitsToInt(cb15_data[15].x))
    );
}
