#version 450
// pica200_t09_consts.shbin#0: vertex program, pica200
// Assumed: constants of 24 bits stand for well-known numbers, or the shortest decimals, that give
// them; the sign of a zero does not matter, and no NaN is compared.

layout(location = 0) in vec4 v;

layout(location = 1) out vec4 color;

void main() {
    vec4 colorValue = vec4(v.x, v.yzw + vec3(1.0, -1.0, 0.5));
    vec4 colorValue2 = colorValue + vec4(3.1415927, -2.7182817, 0.001, 65504.0);
    vec4 position = vec4(
        colorValue2.xy,
        colorValue2.zw + vec2(1.84465e19, 0.0 / 0.0) + vec2(1.0 / 0.0, -1.0 / 0.0)
    ) + vec4(1.99998, 0.1, 0.2, 0.3)
        + vec4(16777216.0, 100000.0, 255.0, 0.0039216)
        + vec4(5.0, 6.0, 7.0, 8.0)
        + vec4(9.0, 8.0, 7.0, 6.0);
    int i = 0;
    for (int j = 0; j < 8; j++) {
        position += 1.0;
    }
    while (i <= 0) {
        position -= 1.0;
        i++;
    }
    gl_Position = position;
    color = colorValue;
}
