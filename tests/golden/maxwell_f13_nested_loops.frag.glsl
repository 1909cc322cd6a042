#version 450
// maxwell_f13_nested_loops.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: no number is so small that the machine takes it for zero; a product may be rounded
// before something is added to it; the sign of a zero does not matter, and no NaN is compared;
// nothing is multiplied and divided by zero; no NaN is compared; no operand of abs, clamp, mix or
// fract is NaN or infinite; no operand of mod, sign or step is NaN or infinite.

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
    bool isNegative = varying0.x <= 0.0;
    float valueX = abs(varying0.x);
    float value = isNegative ? varying0.y : valueX;
    float value2 = abs(value) >= 1e18 ? 0.25 : 1.0;
    value *= value2;
    float ratio = valueX == abs(varying0.y)
        ? 1.0
        : abs((isNegative ? valueX : varying0.y) * value2 / value);
    float ratio2 = min(ratio, 1.0) / max(ratio, 1.0);
    float squared = ratio2 * ratio2;
    float product = (((((squared * -0.0121323215 + 0.053681377) * squared - 0.11735032) * squared
        + 0.1938925)
        * squared
        - 0.33267564)
        * squared
        + 0.9999793)
        * ratio2;
    float sum2 = (isNegative ? 1.5707964 : 0.0)
        + (float(ratio > 1.0) * (product * -2.0 + 1.5707964) + product) * sign(ratio);
    float cosine = cos(color);
    color0 = vec4(
        color,
        cosine,
        sin(color) / cosine,
        min(varying0.y, 1.0 / value) < 0.0 ? -sum2 : sum2
    );
}
