#version 450
// maxwell_f12_pbr.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: w of positions is not zero; directions into cubes are not zero; addresses stay inside of
// what they address; a result may be rounded before it is scaled or made narrower; no number is so
// small that the machine takes it for zero; a product may be rounded before something is added to
// it; no product of zero with an infinity or NaN is formed; indices of relative addressing stay
// inside what they address; the terms of a dot product may be added in any order; vectors that are
// normalized are not zero; powers are taken of positive numbers; no operand of abs, clamp, mix or
// fract is NaN or infinite; a dynamic index stays inside of the array it starts in.

struct Block0_items {
    vec4 threshold;
    vec3 scale;
};

layout(std140, binding = 0) uniform block0 {
    vec3 offset;
    layout(offset = 16) int count;
    Block0_items block0_items[2047];
};

layout(binding = 0) uniform sampler2D texture0;
layout(binding = 1) uniform sampler2D texture1;
layout(binding = 2) uniform samplerCube texture2;

layout(location = 0) in vec3 varying0;
layout(location = 1) in vec3 varying1;
layout(location = 2) in vec2 varying2;

layout(location = 0) out vec4 color0;

void main() {
    vec3 power = pow(texture(texture0, varying2).xyz, vec3(2.2));
    vec4 texel = texture(texture1, varying2);
    vec3 direction = normalize(varying1);
    vec3 direction2 = normalize(offset - varying0);
    vec3 blend = mix(vec3(0.04), power, texel.z);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < count; i++) {
        vec3 offsetValue = block0_items[i].threshold.xyz - varying0;
        float squared = dot(offsetValue, offsetValue);
        if (squared > block0_items[i].threshold.w) {
            continue;
        }
        offsetValue = normalize(offsetValue);
        vec3 halfway = normalize(offsetValue + direction2);
        float projection = max(dot(direction, offsetValue), 0.0);
        float intensity = max(dot(direction, direction2), 0.0001);
        vec3 blend2 = mix(
            blend,
            vec3(1.0),
            pow(1.0 - max(dot(halfway.xy, direction2.xy) + halfway.z * direction2.z, 0.0), 5.0)
        );
        float shifted = texel.y + 1.0;
        float product = 0.125 * shifted * shifted;
        float squaredY = texel.y * texel.y;
        float projection2 = max(dot(direction.xy, halfway.xy) + direction.z * halfway.z, 0.0);
        squaredY *= squaredY;
        float blend3 = mix(1.0, squaredY, projection2 * projection2);
        float rest = 1.0 - product;
        vec3 ratio = blend2
            * (squaredY / (3.1415927 * blend3 * blend3))
            * (projection
                / (rest * projection + product)
                * intensity
                / (rest * intensity + product))
            / max(intensity * projection * 4.0, 0.001);
        sum += (ratio + (1.0 - blend2) * (1.0 - texel.z) * power * 0.31830987)
            * projection
            * block0_items[i].scale
            / squared;
    }
    vec3 color = textureLod(texture2, reflect(-direction2, direction), texel.y * 6.0).xyz
        * blend
        * texel.x
        + sum;
    color0 = vec4(color / (color + 1.0), 1.0);
}
