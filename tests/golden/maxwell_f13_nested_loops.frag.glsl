#version 450
// maxwell_f13_nested_loops.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: no number is so small that the machine takes it for zero; a product may be rounded
// before something is added to it; the sign of a zero does not matter, and no NaN is compared;
// nothing is multiplied and divided by zero; no operand of abs, clamp, mix or fract is NaN or
// infinite; no operand of mod, sign or step is NaN or infinite; polynomials of the code stand for
// the functions that they are close to.

layout(std140, binding = 0) uniform block0 {
    int count;
    int count2;
    float threshold;
};

layout(location = 0) in vec2 varying0;

layout(location = 0) out vec4 color0;

void main() {
    float color = 0.0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count2; j++) {
            float sum = varying0.y * float(j) + varying0.x * float(i);
            if (sum > threshold) {
                break;
            }
            if (fract(sum) >= 0.25) {
                color += sqrt(sum);
                if (color > 100.0) {
                    color0 = vec4(color);
                    return;
                }
            }
        }
        if (color < -1.0) {
            discard;
        }
    }
    color0 = vec4(color, cos(color), tan(color), atan(varying0.y, varying0.x));
}
