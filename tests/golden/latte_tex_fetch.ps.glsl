#version 330
// latte_tex_fetch.ps.bin: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero.

layout(std140) uniform cb0 {
    vec2 scale;
};

layout(std140) uniform cb15 {
    vec4 padding[14];
    ivec4 vector;
    int number;
    int number2;
};

uniform sampler2D s;
uniform isampler2D si;
uniform usampler3D su;
uniform samplerBuffer sb;

out vec4 color0;

void main() {
    ivec2 coordinates = ivec2(vec2(gl_FragCoord.x, gl_FragCoord.y * scale.x + scale.y));
    vec4 texel = texelFetch(sb, coordinates.x);
    vec4 color = texelFetch(s, coordinates, 0)
        + vec4(texelFetch(si, coordinates, 1))
        + vec4(texelFetch(su, ivec3(coordinates, 2), 0));
    color0 = vec4(
        color.xyz
            + intBitsToFloat(floatBitsToInt(texel.xyz) & vector.xyz)
            + vec3(vec2(textureSize(s, 0)), float(number2)),
        color.w + intBitsToFloat((floatBitsToInt(texel.w) & vector.w) | number)
    );
}
