#version 450

layout(location = 8) flat in uvec4 first;
layout(location = 9) flat in uvec4 second;

layout(location = 1) out uvec4 bits;
layout(location = 0) out vec4 color;

// The high half of the product.
uint mulHigh(uint a, uint b) {
    uint high, low;
    umulExtended(a, b, high, low);
    return high;
}

// The nearest float of 16 bits.
float roundHalf(float a) {
    return unpackHalf2x16(packHalf2x16(vec2(a, 0.0))).x;
}

// The nearest float of 16 bits, rounded once: the float of 32 bits is made odd where it is not exact.
float roundHalf(double a) {
    float near = float(a);
    int bits = floatBitsToInt(near);
    if (double(near) != a && !isinf(near) && (bits & 1) == 0) {
        bits += abs(double(near)) < abs(a) ? 1 : -1;
    }
    return unpackHalf2x16(packHalf2x16(vec2(intBitsToFloat(bits), 0.0))).x;
}

void main() {
    double value = packDouble2x32(first.xy);
    double valueZW = packDouble2x32(first.zw);
    double ratio = abs(fma(
        (value + valueZW) * 0.3333333333333333LF,
        value,
        packDouble2x32(second.xy)
    ) / valueZW);
    double root = min(sqrt(ratio), inversesqrt(ratio));
    double reciprocal = max(1.0LF / ratio, clamp(ratio, 0.0LF, 1.0LF));
    double shifted = root < reciprocal ? root + 0.3333333333333333LF : -roundEven(reciprocal);
    float colorValue = float(shifted);
    float shifted2 = roundHalf(shifted);
    float colorValue2 = roundHalf(colorValue);
    float sum = roundHalf(shifted2 + colorValue2);
    float sum2 = sum;
    double whole = trunc(shifted);
    double whole2 = abs(whole);
    double whole3 = floor(whole2 * 2.3283064365386963e-10LF);
    uint sum3 = uint(fma(whole3, -4294967296.0LF, whole2));
    uint whole4 = uint(whole3);
    bool isNegative = whole2 < 9.223372036854776e18LF;
    bool isNegative2 = whole < 0.0LF;
    bool isPositive = whole > 0.0LF;
    uint difference = isNegative
        ? (isNegative2 ? 0u - sum3 : sum3)
        : isPositive ? 0xffffffffu : isNegative2 ? 0u : 0u;
    uint sum4 = isNegative
        ? (isNegative2 ? ~whole4 + uint(int(sum3 == 0u)) : whole4)
        : isPositive ? 0x7fffffffu : isNegative2 ? 0x80000000u : 0u;
    float whole5 = floor(sum2);
    float whole6 = floor(whole5 * 2.3283064e-10);
    bool isAbove = whole5 >= 1.8446744e19;
    bool isPositive2 = whole5 > 0.0;
    uint sum5 = isAbove ? 0xffffffffu : isPositive2 ? uint(whole6 * -4.2949673e9 + whole5) : 0u;
    uint sum6 = mulHigh(difference, sum5)
        + difference * (isAbove ? 0xffffffffu : isPositive2 ? uint(whole6) : 0u)
        + sum4 * sum5;
    uint shift = 32u - second.z;
    uint bitsValue = second.z < 32u
        ? (second.z < 32u ? (difference * sum5) >> second.z : 0u)
            | (shift < 32u ? sum6 << shift : 0u)
        : uint(int(sum6) >> min(uint(int(second.z) - 32), 31u));
    int bitsValue2 = int(sum6) >> min(uint(int(second.z)), 31u);
    bool condition = bitsValue2 < int(sum4) || (bitsValue2 == int(sum4) && bitsValue < difference);
    uint bitsValue3 = condition ? bitsValue : difference;
    uint bitsValue4 = condition ? uint(bitsValue2) : sum4;
    bool isNegative3 = int(bitsValue4) < 0;
    uint difference2 = isNegative3 ? 0u - bitsValue3 : bitsValue3;
    uint sum7 = isNegative3 ? ~bitsValue4 + uint(int(bitsValue3 == 0u)) : bitsValue4;
    int sum8 = findMSB(sum7) + 1;
    int difference3 = 32 - sum8;
    float product = float((uint(difference3) < 32u ? sum7 << uint(difference3) : 0u)
        | (uint(sum8) < 32u ? difference2 >> uint(sum8) : 0u)
        | uint(int((difference2 & ((uint(sum8) < 32u ? 1u << uint(sum8) : 0u) - 1u)) != 0u)))
        * intBitsToFloat((sum8 + 127) << 23);
    color = vec4(colorValue, sum2, isNegative3 ? -product : product, float(double(int(second.w))));
    bits = uvec4(
        packHalf2x16(vec2(shifted2, sum)),
        uint(int(ceil(fma(double(bitsValue4), 4294967296.0LF, double(bitsValue3))))),
        uint(double(colorValue2)),
        second.w
    );
}
