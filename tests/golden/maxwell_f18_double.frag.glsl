#version 450
// maxwell_f18_double.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: w of positions is not zero; no number is so small that the machine takes it for zero;
// the sign of a zero does not matter, and no NaN is compared.

layout(location = 0) flat in uvec4 varying0;
layout(location = 1) in float varying1;

layout(location = 0) out vec4 color0;

void main() {
    double value = packDouble2x32(varying0.xy);
    double valueZW = packDouble2x32(varying0.zw);
    double sum = fma(value, valueZW, double(varying1));
    double sum2 = min(abs(fma(value, sum, valueZW)), -sum);
    if (sum2 < sum) {
        sum2 += 1.0LF;
    }
    double scaled = floor(sum2) * 0.5LF;
    float sum3 = float(sum2);
    color0 = vec4(
        float(sum) + float(unpackDouble2x32(scaled).x ^ unpackDouble2x32(scaled).y),
        sum3,
        float(scaled),
        float(int(sum)) + sqrt(sum3)
    );
}
