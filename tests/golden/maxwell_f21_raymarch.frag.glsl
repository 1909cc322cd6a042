#version 450
// maxwell_f21_raymarch.frag.dksh#0/fragment: fragment program, maxwell
// Assumed:
// - w of positions is not zero
// - no number is so small that the machine takes it for zero
// - a product may be rounded before something is added to it
// - no NaN is compared
// - the terms of a dot product may be added in any order
// - vectors that are normalized are not zero
// - constants in the code are what shorter numbers of the source were rounded to

layout(std140, binding = 0) uniform block0 {
    layout(offset = 16) vec3 block0_vector1;
};

layout(location = 0) in vec2 input0;

layout(location = 0) out vec4 color0;

void main() {
    vec3 direction = normalize(vec3(input0, 1.3));
    float f0 = 0.0;
    bool c0 = false;
    for (int i = 0; f0 < 60.0 && i < 96; i++) {
        vec3 v0 = mod(direction * f0 + block0_vector1, 4.0) - 2.0;
        vec2 v6 = abs(v0.yz);
        float f1 = max(max(abs(v0.x), max(v6.x, v6.y)) - 0.6, -(length(v0) - 0.8));
        if (f1 < 0.001) {
            c0 = true;
            break;
        }
        f0 += f1;
    }
    if (!c0) {
        discard;
    }
    float f2 = direction.x * f0 + block0_vector1.x;
    vec2 v5 = direction.yz * f0 + block0_vector1.yz;
    vec3 v4 = mod(vec3(v5, f2 - 0.001), 4.0) - 2.0;
    vec2 v3 = mod(vec2(f2 + 0.001, f2), 4.0) - 2.0;
    float f3 = mod(v5.x + 0.001, 4.0) - 2.0;
    float f4 = mod(v5.x - 0.001, 4.0) - 2.0;
    float f5 = mod(v5.y + 0.001, 4.0) - 2.0;
    float f6 = mod(v5.y - 0.001, 4.0) - 2.0;
    vec2 v7 = abs(v4.xy);
    float f7 = max(v7.x, v7.y);
    vec2 v2 = abs(v3);
    vec3 v1 = max(
        max(v2.xyy, vec3(f7, max(abs(f3), v7.y), max(v7.x, abs(f5)))) - 0.6,
        -(vec3(
            length(vec3(v3.x, v4.xy)),
            length(vec3(v4.y, v3.y, f3)),
            length(vec3(v4.x, v3.y, f5))
        ) - 0.8)
    ) - max(
            max(vec3(abs(v4.z), v2.yy), vec3(f7, max(abs(f4), v7.y), max(v7.x, abs(f6)))) - 0.6,
            -(vec3(length(v4), length(vec3(v4.y, v3.y, f4)), length(vec3(v4.x, v3.y, f6))) - 0.8)
        );
    color0 = vec4(normalize(v1) * 0.5 + 0.5, f0);
}
