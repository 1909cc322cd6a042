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
    ivec2 n1 = ivec2(int(gl_FragCoord.x), int(gl_FragCoord.y * cb0_data[0].x + cb0_data[0].y));
    ivec2 texel = textureSize(s, 0);
    vec4 texel2 = texelFetch(s, n1, 0);
    ivec4 texel3 = texelFetch(si, n1, 1);
    uvec4 texel4 = texelFetch(su, ivec3(n1, 2), 0);
    ivec4 n0 = floatBitsToInt(texelFetch(sb, n1.x)) & floatBitsToInt(cb15_data[14]);
    vec2 v0 = vec2(texel2.x + float(texel3.x) + float(texel4.x), texel2.y + float(texel3.y))
        + vec2(intBitsToFloat(n0.x), float(texel4.y));
    vec3 v1 = vec3(v0.x, texel2.z + float(texel3.z), v0.y)
        + vec3(float(texel.x), float(texel4.z), intBitsToFloat(n0.y));
    vec3 v2 = vec3(texel2.w + float(texel3.w), v1.zy)
        + vec3(float(texel4.w), float(texel.y), intBitsToFloat(n0.z));
    color0 = vec4(
        v1.x,
        v2.y,
        v2.zx
            + vec2(
                float(floatBitsToInt(cb15_data[15].y)),
                intBitsToFloat(n0.w | floatBitsToInt(cb15_data[15].x))
            )
    );
}
