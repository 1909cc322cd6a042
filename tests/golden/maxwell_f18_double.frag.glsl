#version 450
// maxwell_f18_double.frag.dksh#0/fragment: fragment program, maxwell
// Assumed:
// - w of positions is not zero
// - no number is so small that the machine takes it for zero
// - the sign of a zero does not matter, and no NaN is compared

layout(location = 0) flat in vec4 input0;
layout(location = 1) in float input1;

layout(location = 0) out vec4 color0;

void main() {
    double d0 = packDouble2x32(floatBitsToUint(input0.xy));
    double d1 = packDouble2x32(floatBitsToUint(input0.zw));
    double d2 = fma(d0, d1, double(input1));
    double d3 = min(abs(fma(d0, d2, d1)), -d2);
    bool c0 = d3 < d2;
    uvec2 u0;
    uvec2 u1;
    if (c0) {
        double d4 = d3 + 1.0LF;
        u1 = uvec2(unpackDouble2x32(d4).x, unpackDouble2x32(d4).y);
        u0 = u1;
    } else {
        u1 = uvec2(unpackDouble2x32(d3).x, unpackDouble2x32(d3).y);
        u0 = floatBitsToUint(input0.xy);
    }
    double d5 = packDouble2x32(c0 ? u0 : u1);
    double d6 = floor(d5) * 0.5LF;
    float f0 = float(d5);
    color0 = vec4(
        float(d2) + float(unpackDouble2x32(d6).x ^ unpackDouble2x32(d6).y),
        f0,
        float(d6),
        float(int(d2)) + sqrt(f0)
    );
}
