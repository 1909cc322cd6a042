#version 450
// maxwell_f13_nested_loops.frag.dksh#0/fragment: fragment program, maxwell
// Assumed:
// - no number is so small that the machine takes it for zero
// - a product may be rounded before something is added to it
// - the sign of a zero does not matter, and no NaN is compared
// - no NaN is compared
// - no operand of abs, clamp, mix or fract is NaN or infinite

layout(std140, binding = 0) uniform block0 {
    vec4 block0_values[1];
};

layout(location = 0) in vec2 input0;

layout(location = 0) out vec4 color0;

void main() {
    float f0 = 1.0 / gl_FragCoord.w;
    int n0 = 0;
    float f1 = 0.0;
    float f2 = 0.0;
    bool c3 = false;
    while (floatBitsToInt(block0_values[0].x) > n0) {
        int n1 = 0;
        while (floatBitsToInt(block0_values[0].y) > n1) {
            float f3 = input0.y * gl_FragCoord.w * f0 * float(n1)
                + input0.x * gl_FragCoord.w * f0 * float(n0);
            if (f3 > block0_values[0].z) {
                break;
            }
            if (fract(f3) < 0.25) {
                n1++;
                if (0 != floatBitsToInt(f1)) {
                    break;
                }
            } else {
                f2 += sqrt(f3);
                if (f2 > 100.0) {
                    f0 = f2;
                    n0 = floatBitsToInt(f2);
                    f1 = f2;
                    c3 = true;
                    break;
                }
                n1++;
                if (0 != floatBitsToInt(f1)) {
                    break;
                }
            }
        }
        if (c3) {
            break;
        }
        bool c1 = f2 < -1.0;
        f1 = c1 ? uintBitsToFloat(0xffffffffu) : 0.0;
        if (c1) {
            discard;
        }
        n0++;
        if (c1) {
            break;
        }
    }
    if (!c3) {
        float f4 = input0.x * gl_FragCoord.w * f0;
        bool c2 = f4 <= 0.0;
        float f5 = input0.y * gl_FragCoord.w * f0;
        float f6 = abs(f4);
        float f7 = c2 ? f5 : f6;
        float f8 = abs(f7) >= 1e18 ? 0.25 : 1.0;
        f7 *= f8;
        float f9 = f6 == abs(f5) ? 1.0 : abs((c2 ? f6 : f5) * f8 / f7);
        float f10 = abs(f9);
        float f11 = min(f10, 1.0) / max(f10, 1.0);
        float f12 = f11 * f11;
        f11 *= ((((f12 * -0.0121323215 + 0.053681377) * f12 - 0.11735032) * f12 + 0.1938925) * f12
            - 0.33267564)
            * f12
            + 0.9999793;
        float f13 = (c2 ? 1.5707964 : 0.0)
            + (float(f10 > 1.0) * (f11 * -2.0 + 1.5707964) + f11)
                * (float(f9 > 0.0) + (f9 < 0.0 ? -1.0 : -0.0));
        f1 = cos(f2);
        f0 = f2;
        n0 = floatBitsToInt(sin(f2) / f1);
        f2 = min(f5, 1.0 / f7) < 0.0 ? -f13 : f13;
    }
    color0 = vec4(f0, f1, intBitsToFloat(n0), f2);
}
