#version 330
// latte_cf_nested_loop.ps.bin: fragment program, latte
// Assumed:
// - no number is so small that the machine takes it for zero
// - the sign of a zero does not matter, and no NaN is compared

layout(std140) uniform cb0 {
    vec4 cb0_data[1];
};

in vec4 param0;

layout(location = 0) out vec4 color0;

void main() {
    float f0 = 0.0;
    for (int i = 0; i < floatBitsToInt(cb0_data[0].y); i++) {
        for (int j = 0; j < floatBitsToInt(cb0_data[0].x); j++) {
            float f1 = param0.x * float(j) - param0.y * float(i);
            if (f1 < 0.0) {
                break;
            }
            f0 += sqrt(f1);
            while (f0 > 8.0) {
                f0 *= 0.5;
            }
        }
        if (f0 <= 100.0) {
            f0 += 0.25;
        }
    }
    color0 = vec4(f0);
}
