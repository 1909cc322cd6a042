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
        vec3 wrapped = mod(direction * sum + offset, 4.0) - 2.0;
        float shifted = max(
            max(abs(wrapped.x), max(abs(wrapped.y), abs(wrapped.z))) - 0.6,
            -(length(wrapped) - 0.8)
        );
        if (shifted < 0.001) {
            done = true;
            break;
        }
        sum += shifted;
    }
    if (!done) {
        discard;
    }
    float positionX = direction.x * sum + offset.x;
    vec2 positionYZ = direction.yz * sum + offset.yz;
    vec3 wrapped2 = mod(vec3(positionYZ, positionX - 0.001), 4.0) - 2.0;
    vec2 wrapped3 = mod(vec2(positionX + 0.001, positionX), 4.0) - 2.0;
    float wrappedX = mod(positionYZ.x + 0.001, 4.0) - 2.0;
    float wrapped4 = mod(positionYZ.x - 0.001, 4.0) - 2.0;
    float wrappedY = mod(positionYZ.y + 0.001, 4.0) - 2.0;
    float wrapped5 = mod(positionYZ.y - 0.001, 4.0) - 2.0;
    float sizeX = abs(wrapped2.x);
    float sizeY = abs(wrapped2.y);
    float size = max(sizeX, sizeY);
    vec2 size2 = abs(wrapped3);
    vec3 offsetValue = max(
        max(size2.xyy, vec3(size, max(abs(wrappedX), sizeY), max(sizeX, abs(wrappedY)))) - 0.6,
        -(vec3(
            length(vec3(wrapped3.x, wrapped2.xy)),
            length(vec3(wrapped2.y, wrapped3.y, wrappedX)),
            length(vec3(wrapped2.x, wrapped3.y, wrappedY))
        ) - 0.8)
    ) - max(
            max(
                vec3(abs(wrapped2.z), size2.yy),
                vec3(size, max(abs(wrapped4), sizeY), max(sizeX, abs(wrapped5)))
            ) - 0.6,
            -(vec3(
                length(wrapped2),
                length(vec3(wrapped2.y, wrapped3.y, wrapped4)),
                length(vec3(wrapped2.x, wrapped3.y, wrapped5))
            ) - 0.8)
        );
    color0 = vec4(normalize(offsetValue) * 0.5 + 0.5, sum);
}
