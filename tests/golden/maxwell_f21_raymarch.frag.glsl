#version 450
// maxwell_f21_raymarch.frag.dksh#0/fragment: fragment program, maxwell
// Assumed:
// - w of positions is not zero
// - no number is so small that the machine takes it for zero
// - a product may be rounded before something is added to it
// - the terms of a dot product may be added in any order

layout(std140, binding = 0) uniform block0 {
    vec4 block0_values[2];
};

layout(location = 0) in vec2 input0;

layout(location = 0) out vec4 color0;

void main() {
    float scale = inversesqrt(abs(dot(input0, input0) + 1.6899998));
    float f0 = input0.x * scale;
    float f1 = input0.y * scale;
    scale *= 1.3;
    int n0 = 0;
    float f2 = 0.0;
    for (int i = 0; f2 < 60.0 && i < 96; i++) {
        float f3 = f0 * f2 + block0_values[1].x;
        float f4 = f1 * f2 + block0_values[1].y;
        float f5 = scale * f2 + block0_values[1].z;
        f3 = f3 - floor(f3 * 0.25) * 4.0 - 2.0;
        f4 = f4 - floor(f4 * 0.25) * 4.0 - 2.0;
        f5 = f5 - floor(f5 * 0.25) * 4.0 - 2.0;
        f3 = max(
            max(abs(f3), max(abs(f4), abs(f5))) - 0.6,
            -(sqrt(f4 * f4 + f3 * f3 + f5 * f5) - 0.8)
        );
        if (f3 < 0.001) {
            n0 = -1;
            break;
        }
        f2 += f3;
    }
    if (-intBitsToFloat(~n0 & 0x3f800000) < 0.0) {
        discard;
    }
    f0 = f0 * f2 + block0_values[1].x;
    f1 = f1 * f2 + block0_values[1].y;
    scale = scale * f2 + block0_values[1].z;
    float f6 = f0 + 0.001;
    f6 = f6 - floor(f6 * 0.25) * 4.0 - 2.0;
    float f7 = f1 - floor(f1 * 0.25) * 4.0 - 2.0;
    float f8 = scale - floor(scale * 0.25) * 4.0 - 2.0;
    float f9 = f0 - 0.001;
    f9 = f9 - floor(f9 * 0.25) * 4.0 - 2.0;
    float f10 = f1 + 0.001;
    f0 = f0 - floor(f0 * 0.25) * 4.0 - 2.0;
    f10 = f10 - floor(f10 * 0.25) * 4.0 - 2.0;
    f1 -= 0.001;
    f1 = f1 - floor(f1 * 0.25) * 4.0 - 2.0;
    float f11 = scale + 0.001;
    f11 = f11 - floor(f11 * 0.25) * 4.0 - 2.0;
    scale -= 0.001;
    scale = scale - floor(scale * 0.25) * 4.0 - 2.0;
    float f12 = abs(f7);
    float f13 = abs(f8);
    float f14 = max(f12, f13);
    float f15 = f7 * f7;
    float f16 = f8 * f8;
    f6 = max(max(abs(f6), f14) - 0.6, -(sqrt(f15 + f6 * f6 + f16) - 0.8))
        - max(max(abs(f9), f14) - 0.6, -(sqrt(f15 + f9 * f9 + f16) - 0.8));
    float f17 = abs(f0);
    float f18 = f0 * f0;
    f1 = max(max(f17, max(abs(f10), f13)) - 0.6, -(sqrt(f10 * f10 + f18 + f16) - 0.8))
        - max(max(f17, max(abs(f1), f13)) - 0.6, -(sqrt(f1 * f1 + f18 + f16) - 0.8));
    float f19 = f15 + f18;
    float f20 = max(max(f17, max(f12, abs(f11))) - 0.6, -(sqrt(f11 * f11 + f19) - 0.8))
        - max(max(f17, max(f12, abs(scale))) - 0.6, -(sqrt(scale * scale + f19) - 0.8));
    float scale2 = inversesqrt(abs(f1 * f1 + f6 * f6 + f20 * f20));
    color0 = vec4(f6 * scale2 * 0.5 + 0.5, f1 * scale2 * 0.5 + 0.5, f20 * scale2 * 0.5 + 0.5, f2);
}
