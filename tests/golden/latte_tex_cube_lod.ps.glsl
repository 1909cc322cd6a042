#version 330
// latte_tex_cube_lod.ps.bin: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero; directions of cube maps are
// not zero, and their length does not matter; the terms of a dot product may be added in any order;
// vectors that are normalized are not zero.

layout(std140) uniform cb0 {
    float factor;
};

uniform samplerCube c;

in vec4 param0;
in vec4 param1;

out vec4 color0;

void main() {
    color0 = textureLod(c, param0.xyz, factor)
        + texture(c, reflect(param0.xyz, normalize(vec3(param0.w, param1.xy))), 0.5);
}
