#version 450
// maxwell_f12_pbr.frag.dksh#0/fragment: fragment program, maxwell
// Assumed:
// - w of positions is not zero
// - directions into cubes are not zero
// - no number is so small that the machine takes it for zero
// - a product may be rounded before something is added to it
// - no product of zero with an infinity or NaN is formed
// - the terms of a dot product may be added in any order
// - powers are taken of positive numbers
// - no operand of abs, clamp, mix or fract is NaN or infinite

layout(std140, binding = 0) uniform block0 {
    vec4 block0_values[4096];
};

layout(binding = 0) uniform sampler2D texture0;
layout(binding = 1) uniform sampler2D texture1;
layout(binding = 2) uniform samplerCube texture2;

layout(location = 0) in vec3 input0;
layout(location = 1) in vec3 input1;
layout(location = 2) in vec2 input2;

layout(location = 0) out vec4 color0;

void main() {
    vec4 texel = texture(texture0, input2);
    float f0 = pow(texel.x, 2.2);
    float f1 = pow(texel.y, 2.2);
    float f2 = pow(texel.z, 2.2);
    vec4 texel2 = texture(texture1, input2);
    vec3 v1 = input1 * inversesqrt(abs(dot(input1, input1)));
    vec3 v0 = block0_values[0].xyz - input0;
    v0 *= inversesqrt(abs(v0.y * v0.y + v0.x * v0.x + v0.z * v0.z));
    float f3 = (f0 - 0.04) * texel2.z + 0.04;
    float f4 = (f1 - 0.04) * texel2.z + 0.04;
    float f5 = (f2 - 0.04) * texel2.z + 0.04;
    int n0 = 0;
    float f6 = 0.0;
    float f7 = 0.0;
    float f8 = 0.0;
    while (floatBitsToInt(block0_values[1].x) > n0) {
        float f12 = block0_values[(n0 * 8 + 8) >> 2].x - input0.x;
        float f13 = block0_values[(n0 * 8 + 9) >> 2].y - input0.y;
        float f14 = block0_values[(n0 * 8 + 10) >> 2].z - input0.z;
        float f15 = f13 * f13 + f12 * f12 + f14 * f14;
        if (f15 > block0_values[(n0 * 8 + 11) >> 2].w) {
            n0++;
        } else {
            float scale = inversesqrt(abs(f15));
            f12 *= scale;
            f13 *= scale;
            scale *= f14;
            float f16 = f12 + v0.x;
            float f17 = f13 + v0.y;
            float f18 = scale + v0.z;
            float scale2 = inversesqrt(abs(f17 * f17 + f16 * f16 + f18 * f18));
            f16 *= scale2;
            f17 *= scale2;
            f18 *= scale2;
            scale = max(v1.y * f13 + v1.x * f12 + v1.z * scale, 0.0);
            float f19 = max(v1.y * v0.y + v1.x * v0.x + v1.z * v0.z, 0.0001);
            float f20 = pow(1.0 - max(f17 * v0.y + f16 * v0.x + f18 * v0.z, 0.0), 5.0);
            float f21 = mix(f3, 1.0, f20);
            float f22 = mix(f4, 1.0, f20);
            float f23 = mix(f5, 1.0, f20);
            float f24 = texel2.y + 1.0;
            f24 = f24 * f24 * 0.125;
            float f25 = texel2.y * texel2.y;
            f16 = max(v1.y * f17 + v1.x * f16 + v1.z * f18, 0.0);
            float f26 = f25 * f25;
            float f27 = f16 * f16 * (f26 - 1.0) + 1.0;
            f27 = f26 / (3.1415927 * f27 * f27);
            float f28 = 1.0 - f24;
            f28 = scale / (f28 * scale + f24) * f19 / (f28 * f19 + f24);
            f19 = max(scale * f19 * 4.0, 0.001);
            float f29 = 1.0 - texel2.z;
            f6 += (f21 * f27 * f28 / f19 + (1.0 - f21) * f29 * f0 * 0.31830987)
                * scale
                * block0_values[(n0 * 8 + 12) >> 2].x
                / f15;
            f7 += (f22 * f27 * f28 / f19 + (1.0 - f22) * f29 * f1 * 0.31830987)
                * scale
                * block0_values[(n0 * 8 + 13) >> 2].y
                / f15;
            f8 += (f23 * f27 * f28 / f19 + (1.0 - f23) * f29 * f2 * 0.31830987)
                * scale
                * block0_values[(n0 * 8 + 14) >> 2].z
                / f15;
            n0++;
        }
    }
    vec4 texel3 = textureLod(
        texture2,
        -v0 - (v1.y * -v0.y + v1.x * -v0.x + v1.z * -v0.z) * v1 * 2.0,
        texel2.y * 6.0
    );
    float f9 = texel3.x * f3 * texel2.x + f6;
    float f10 = texel3.y * f4 * texel2.x + f7;
    float f11 = texel3.z * f5 * texel2.x + f8;
    color0 = vec4(f9 / (f9 + 1.0), f10 / (f10 + 1.0), f11 / (f11 + 1.0), 1.0);
}
