#version 450
// maxwell_f18_double.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: w of positions is not zero; no number is so small that the machine takes it for zero;
// the sign of a zero does not matter, and no NaN is compared.

layout(location = 0) flat in vec4 varying0;
layout(location = 1) in float varying1;

layout(location = 0) out vec4 color0;

void main() {
    double value = packDouble2x32(floatBitsToUint(varying0.xy));
    double valueZW = packDouble2x32(floatBitsToUint(varying0.zw));
    double sum = fma(value, valueZW, double(varying1));
    double sum2 = min(abs(fma(value, sum, valueZW)), -sum);
    bool isBelow = sum2 < sum;
    uvec2 vector;
    uvec2 bits;
    if (isBelow) {
        double shifted = sum2 + 1.0LF;
        bits = uvec2(unpackDouble2x32(shifted).x, unpackDouble2x32(shifted).y);
        vector = bits;
    } else {
        bits = uvec2(unpackDouble2x32(sum2).x, unpackDouble2x32(sum2).y);
        vector = floatBitsToUint(varying0.xy);
    }
    double value2 = packDouble2x32(isBelow ? vector : bits);
    double scaled = floor(value2) * 0.5LF;
    float value3 = float(value2);
    color0 = vec4(
        float(sum) + float(unpackDouble2x32(scaled).x ^ unpackDouble2x32(scaled).y),
        value3,
        float(scaled),
        float(int(sum)) + sqrt(value3)
    );
}
