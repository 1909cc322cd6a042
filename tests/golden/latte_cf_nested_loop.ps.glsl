#version 330
// latte_cf_nested_loop.ps.bin: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero; the sign of a zero does not
// matter, and no NaN is compared.

layout(std140) uniform cb0 {
    int count;
    int count2;
};

in vec4 param0;

out vec4 color0;

void main() {
    float color = 0.0;
    for (int i = 0; i < count2; i++) {
        for (int j = 0; j < count; j++) {
            float difference = param0.x * float(j) - param0.y * float(i);
            if (difference < 0.0) {
                break;
            }
            color += sqrt(difference);
            while (color > 8.0) {
                color *= 0.5;
            }
        }
        if (color <= 100.0) {
            color += 0.25;
        }
    }
    color0 = vec4(color);
}
