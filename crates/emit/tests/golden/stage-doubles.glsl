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
    double d0 = packDouble2x32(first.xy);
    double d1 = packDouble2x32(first.zw);
    double d2 = abs(fma((d0 + d1) * 0.3333333333333333LF, d0, packDouble2x32(second.xy)) / d1);
    double d3 = min(sqrt(d2), inversesqrt(d2));
    double d4 = max(1.0LF / d2, clamp(d2, 0.0LF, 1.0LF));
    double d5 = d3 < d4 ? d3 + 0.3333333333333333LF : -roundEven(d4);
    float color_value = float(d5);
    float f0 = roundHalf(d5);
    float f1 = roundHalf(color_value);
    float f2 = roundHalf(f0 + f1);
    float f3 = f2;
    double d6 = trunc(d5);
    double d7 = abs(d6);
    double d8 = floor(d7 * 2.3283064365386963e-10LF);
    uint u0 = uint(fma(d8, -4294967296.0LF, d7));
    uint u1 = uint(d8);
    bool c0 = d7 < 9.223372036854776e18LF;
    bool c1 = d6 < 0.0LF;
    bool c2 = d6 > 0.0LF;
    uint u2 = c0 ? (c1 ? 0u - u0 : u0) : c2 ? 0xffffffffu : c1 ? 0u : 0u;
    uint u3 = c0 ? (c1 ? ~u1 + uint(int(u0 == 0u)) : u1) : c2 ? 0x7fffffffu : c1 ? 0x80000000u : 0u;
    float f4 = floor(f3);
    float f5 = floor(f4 * 2.3283064e-10);
    bool c3 = f4 >= 1.8446744e19;
    bool c4 = f4 > 0.0;
    uint u4 = c3 ? 0xffffffffu : c4 ? uint(f5 * -4.2949673e9 + f4) : 0u;
    uint u5 = mulHigh(u2, u4) + u2 * (c3 ? 0xffffffffu : c4 ? uint(f5) : 0u) + u3 * u4;
    uint u6 = 32u - second.z;
    uint u7 = second.z < 32u
        ? (second.z < 32u ? (u2 * u4) >> second.z : 0u) | (u6 < 32u ? u5 << u6 : 0u)
        : uint(int(u5) >> min(uint(int(second.z) - 32), 31u));
    int n0 = int(u5) >> min(uint(int(second.z)), 31u);
    bool c5 = n0 < int(u3) || (n0 == int(u3) && u7 < u2);
    uint u8 = c5 ? u7 : u2;
    uint u9 = c5 ? uint(n0) : u3;
    bool c6 = int(u9) < 0;
    uint u10 = c6 ? 0u - u8 : u8;
    uint u11 = c6 ? ~u9 + uint(int(u8 == 0u)) : u9;
    int n1 = findMSB(u11) + 1;
    int n2 = 32 - n1;
    float f6 = float((uint(n2) < 32u ? u11 << uint(n2) : 0u)
        | (uint(n1) < 32u ? u10 >> uint(n1) : 0u)
        | uint(int((u10 & ((uint(n1) < 32u ? 1u << uint(n1) : 0u) - 1u)) != 0u)))
        * intBitsToFloat((n1 + 127) << 23);
    color = vec4(color_value, f3, c6 ? -f6 : f6, float(double(int(second.w))));
    bits = uvec4(
        packHalf2x16(vec2(f0, f2)),
        uint(int(ceil(fma(double(u9), 4294967296.0LF, double(u8))))),
        uint(double(f1)),
        second.w
    );
}
