#version 450
// maxwell_f12_pbr.frag.dksh#0/fragment: fragment program, maxwell
// Assumed:
// - w of positions is not zero
// - directions into cubes are not zero
// - no number is so small that the machine takes it for zero
// - a product may be rounded before something is added to it
// - no product of zero with an infinity or NaN is formed
// - the terms of a dot product may be added in any order
// - vectors that are normalized are not zero
// - powers are taken of positive numbers
// - no operand of abs, clamp, mix or fract is NaN or infinite
// - a dynamic index stays inside of the array it starts in

layout(std140, binding = 0) uniform block0 {
    vec3 block0_vector0;
    layout(offset = 16) int block0_value1;
    vec4 block0_values2[4094];
};

layout(binding = 0) uniform sampler2D texture0;
layout(binding = 1) uniform sampler2D texture1;
layout(binding = 2) uniform samplerCube texture2;

layout(location = 0) in vec3 input0;
layout(location = 1) in vec3 input1;
layout(location = 2) in vec2 input2;

layout(location = 0) out vec4 color0;

void main() {
    vec3 v3 = pow(texture(texture0, input2).xyz, vec3(2.2));
    vec4 texel = texture(texture1, input2);
    vec3 direction = normalize(input1);
    vec3 direction2 = normalize(block0_vector0 - input0);
    vec3 v2 = mix(vec3(0.04), v3, texel.z);
    vec3 v4 = vec3(0.0);
    for (int i = 0; i < block0_value1; i++) {
        vec3 v0 = block0_values2[i * 2].xyz - input0;
        float d = dot(v0, v0);
        if (d > block0_values2[i * 2].w) {
            continue;
        }
        v0 = normalize(v0);
        vec3 direction3 = normalize(v0 + direction2);
        float f0 = max(dot(direction, v0), 0.0);
        float f1 = max(dot(direction, direction2), 0.0001);
        vec3 v6 = mix(
            v2,
            vec3(1.0),
            pow(
                1.0 - max(dot(direction3.xy, direction2.xy) + direction3.z * direction2.z, 0.0),
                5.0
            )
        );
        float f2 = texel.y + 1.0;
        float f3 = f2 * f2 * 0.125;
        float f4 = texel.y * texel.y;
        float f5 = max(dot(direction3.xy, direction.xy) + direction.z * direction3.z, 0.0);
        f4 *= f4;
        float f6 = mix(1.0, f4, f5 * f5);
        float f7 = 1.0 - f3;
        vec3 v5 = v6
            * (f4 / (3.1415927 * f6 * f6))
            * (f0 / (f7 * f0 + f3) * f1 / (f7 * f1 + f3))
            / max(f1 * f0 * 4.0, 0.001);
        v4 += (v5 + (1.0 - v6) * (1.0 - texel.z) * v3 * 0.31830987)
            * f0
            * block0_values2[i * 2 + 1].xyz
            / d;
    }
    vec3 v1 = textureLod(texture2, reflect(-direction2, direction), texel.y * 6.0).xyz
        * v2
        * texel.x
        + v4;
    color0 = vec4(v1 / (v1 + 1.0), 1.0);
}
