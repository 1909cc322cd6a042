#version 450
// maxwell_f14_switch.frag.dksh#0/fragment: fragment program, maxwell
// Assumed:
// - w of positions is not zero
// - no number is so small that the machine takes it for zero
// - no operand of abs, clamp, mix or fract is NaN or infinite

layout(location = 0) flat in int input0;
layout(location = 1) in vec4 input1;

layout(location = 0) out vec4 color0;

void main() {
    float f0 = 1.0 / gl_FragCoord.w;
    float f1 = input1.x * gl_FragCoord.w;
    float f2 = input1.y * gl_FragCoord.w;
    float f3 = input1.z * gl_FragCoord.w;
    float f4 = input1.w * gl_FragCoord.w;
    bool c0 = 0 == input0;
    float f5;
    int n0;
    int n1;
    if (0 != input0) {
        c0 = c0 || input0 == 1;
        float f6;
        float f7;
        float f8;
        if (c0) {
            f5 = input1.x * input1.x;
            f6 = input1.y * input1.y;
            f7 = input1.z * input1.z;
            f8 = input1.w * input1.w;
        } else {
            f5 = input1.x;
            f6 = input1.y;
            f7 = input1.z;
            f8 = input1.w;
        }
        bool c1 = input0 == 2;
        c0 = c0 || c1;
        if (c0) {
            n0 = floatBitsToInt(f5 + 1.0);
            f0 = f8 + 1.0;
            f5 = f7 + 1.0;
            n1 = floatBitsToInt(f6 + 1.0);
        } else {
            n0 = c0 ? -1 : 0;
            n1 = c1 ? -1 : 0;
            n1 = input0 == 5 ? -1 : 0;
            n0 |= n1;
            if (0 != n0) {
                n0 = floatBitsToInt(floor(f1 * f0));
                f5 = floor(f3 * f0);
                n1 = floatBitsToInt(floor(f2 * f0));
                f0 = floor(f4 * f0);
            } else {
                n0 |= input0 == 6 ? -1 : 0;
                if (0 == n0) {
                    n1 = input0 == 7 ? -1 : 0;
                    n0 |= n1;
                    if (0 != n0) {
                        n0 = floatBitsToInt(roundEven(f1 * f0));
                        f5 = roundEven(f3 * f0);
                        n1 = floatBitsToInt(roundEven(f2 * f0));
                        f0 = roundEven(f4 * f0);
                    } else {
                        n0 = floatBitsToInt(fract(f1 * f0));
                        f5 = fract(f3 * f0);
                        n1 = floatBitsToInt(fract(f2 * f0));
                        f0 = fract(f4 * f0);
                    }
                } else {
                    float f9 = f1 * f0;
                    float f10 = f2 * f0;
                    float f11 = f3 * f0;
                    f0 *= f4;
                    n0 = floatBitsToInt(ceil(f9) - trunc(f9));
                    f0 = ceil(f0) - trunc(f0);
                    f5 = ceil(f11) - trunc(f11);
                    n1 = floatBitsToInt(ceil(f10) - trunc(f10));
                }
            }
        }
    } else {
        n0 = floatBitsToInt(sin(input1.x));
        f0 = sin(input1.w);
        f5 = sin(input1.z);
        n1 = floatBitsToInt(sin(input1.y));
    }
    color0 = vec4(intBitsToFloat(n0), intBitsToFloat(n1), f5, f0);
}
