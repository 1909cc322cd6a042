#version 450
// maxwell_f13_nested_loops.frag.dksh#0/fragment: fragment program, maxwell
// Assumed:
// - no number is so small that the machine takes it for zero
// - a product may be rounded before something is added to it
// - the sign of a zero does not matter, and no NaN is compared
// - no NaN is compared
// - the terms of a dot product may be added in any order
// - no operand of abs, clamp, mix or fract is NaN or infinite
// - no operand of mod, sign or step is NaN or infinite

layout(std140, binding = 0) uniform block0 {
    int block0_value0;
    int block0_value0_1;
    float block0_value0_2;
};

layout(location = 0) in vec2 input0;

layout(location = 0) out vec4 color0;

void main() {
    float f0 = 0.0;
    for (int i = 0; i < block0_value0; i++) {
        for (int j = 0; j < block0_value0_1; j++) {
            float f11 = input0.x * gl_FragCoord.w / gl_FragCoord.w * float(i)
                + input0.y * gl_FragCoord.w / gl_FragCoord.w * float(j);
            if (f11 > block0_value0_2) {
                break;
            }
            if (fract(f11) >= 0.25) {
                f0 += sqrt(f11);
                if (f0 > 100.0) {
                    color0 = vec4(f0);
                    return;
                }
            }
        }
        if (f0 < -1.0) {
            discard;
        }
    }
    float f1 = input0.x * gl_FragCoord.w / gl_FragCoord.w;
    bool c0 = f1 <= 0.0;
    float f2 = input0.y * gl_FragCoord.w / gl_FragCoord.w;
    f1 = abs(f1);
    float f3 = c0 ? f2 : f1;
    float f4 = abs(f3) >= 1e18 ? 0.25 : 1.0;
    f3 *= f4;
    float f5 = f1 == abs(f2) ? 1.0 : abs((c0 ? f1 : f2) * f4 / f3);
    float f6 = min(f5, 1.0) / max(f5, 1.0);
    float f7 = f6 * f6;
    float f8 = (((((f7 * -0.0121323215 + 0.053681377) * f7 - 0.11735032) * f7 + 0.1938925) * f7
        - 0.33267564)
        * f7
        + 0.9999793)
        * f6;
    float f9 = (c0 ? 1.5707964 : 0.0) + (float(f5 > 1.0) * (f8 * -2.0 + 1.5707964) + f8) * sign(f5);
    float f10 = cos(f0);
    color0 = vec4(f0, f10, sin(f0) / f10, min(f2, 1.0 / f3) < 0.0 ? -f9 : f9);
}
