#version 450
// maxwell_f21_raymarch.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: w of positions is not zero; no number is so small that the machine takes it for zero; a
// product may be rounded before something is added to it; no NaN is compared; the terms of a dot
// product may be added in any order; vectors that are normalized are not zero; constants in the
// code are what shorter numbers of the source were rounded to.

layout(std140, binding = 0) uniform block0 {
    layout(offset = 16) vec3 offset;
};

layout(location = 0) in vec2 varying0;

layout(location = 0) out vec4 color0;

void main() {
    vec3 direction = normalize(vec3(varying0, 1.3));
    float sum = 0.0;
    bool done = false;
    for (int i = 0; sum < 60.0 && i < 96; i++) {
        vec3 offset2 = mod(direction * sum + offset, 4.0) - 2.0;
        float difference = max(
            max(abs(offset2.x), max(abs(offset2.y), abs(offset2.z))) - 0.6,
            -(length(offset2) - 0.8)
        );
        if (difference < 0.001) {
            done = true;
            break;
        }
        sum += difference;
    }
    if (!done) {
        discard;
    }
    float sum2 = direction.x * sum + offset.x;
    vec2 sum3 = direction.yz * sum + offset.yz;
    vec3 offset3 = mod(vec3(sum3, sum2 - 0.001), 4.0) - 2.0;
    vec2 offset4 = mod(vec2(sum2 + 0.001, sum2), 4.0) - 2.0;
    float difference2 = mod(sum3.x + 0.001, 4.0) - 2.0;
    float difference3 = mod(sum3.x - 0.001, 4.0) - 2.0;
    float difference4 = mod(sum3.y + 0.001, 4.0) - 2.0;
    float difference5 = mod(sum3.y - 0.001, 4.0) - 2.0;
    float offset5 = abs(offset3.x);
    float offset6 = abs(offset3.y);
    float offset7 = max(offset5, offset6);
    vec2 offset8 = abs(offset4);
    vec3 offset9 = max(
        max(
            offset8.xyy,
            vec3(offset7, max(abs(difference2), offset6), max(offset5, abs(difference4)))
        ) - 0.6,
        -(vec3(
            length(vec3(offset4.x, offset3.xy)),
            length(vec3(offset3.y, offset4.y, difference2)),
            length(vec3(offset3.x, offset4.y, difference4))
        ) - 0.8)
    ) - max(
            max(
                vec3(abs(offset3.z), offset8.yy),
                vec3(offset7, max(abs(difference3), offset6), max(offset5, abs(difference5)))
            ) - 0.6,
            -(vec3(
                length(offset3),
                length(vec3(offset3.y, offset4.y, difference3)),
                length(vec3(offset3.x, offset4.y, difference5))
            ) - 0.8)
        );
    color0 = vec4(normalize(offset9) * 0.5 + 0.5, sum);
}
