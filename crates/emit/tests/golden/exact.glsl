#version 450
// example.shbin #0, for PICA200

layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;

layout(location = 1) precise out vec4 color;

// The machine's product: 0 * infinity is 0.
float mul0(float a, float b) {
    precise float product = a * b;
    return (a == 0.0 && isinf(b)) || (isinf(a) && b == 0.0) ? 0.0 : product;
}

vec4 mul0(vec4 a, vec4 b) {
    return vec4(mul0(a.x, b.x), mul0(a.y, b.y), mul0(a.z, b.z), mul0(a.w, b.w));
}

// The machine's product: 0 * anything is 0.
float mulZeroWins(float a, float b) {
    precise float product = a * b;
    return a == 0.0 || b == 0.0 ? 0.0 : product;
}

// The second operand unless the first is greater.
float maxSecond(float a, float b) {
    return a > b ? a : b;
}

vec3 maxSecond(vec3 a, vec3 b) {
    return vec3(maxSecond(a.x, b.x), maxSecond(a.y, b.y), maxSecond(a.z, b.z));
}

// The second operand unless the first is less.
float minSecond(float a, float b) {
    return a < b ? a : b;
}

// To the range 0 to 1, NaN to 0.
float saturate(float a) {
    return isnan(a) ? 0.0 : clamp(a, 0.0, 1.0);
}

vec3 saturate(vec3 a) {
    return vec3(saturate(a.x), saturate(a.y), saturate(a.z));
}

// Towards zero, to the nearest int where out of range, NaN to 0.
int toInt(float a) {
    return a >= 2147483648.0 ? 2147483647
        : a >= -2147483648.0 ? int(a)
        : isnan(a) ? 0 : int(0x80000000u);
}

// Towards zero, to the nearest uint where out of range, NaN to 0.
uint toUint(float a) {
    return a >= 4294967296.0 ? 0xffffffffu : a > 0.0 ? uint(a) : 0u;
}

// The lesser operand; a NaN loses, -0 is less than +0.
float minNumber(float a, float b) {
    return isnan(b) || a < b || (a == b && floatBitsToInt(a) < 0) ? a : b;
}

// The greater operand; a NaN loses, -0 is less than +0.
float maxNumber(float a, float b) {
    return isnan(b) || a > b || (a == b && floatBitsToInt(a) >= 0) ? a : b;
}

// A denormal to the zero of its sign.
float flushDenormal(float a) {
    return (floatBitsToUint(a) & 0x7f800000u) == 0u
        ? uintBitsToFloat(floatBitsToUint(a) & 0x80000000u)
        : a;
}

void main() {
    vec4 all_ = mul0(a, b);
    precise float sum = mul0(a.x, a.x) + mul0(a.x, b.y) + b.z;
    vec3 greatest = maxSecond(a.xyz, vec3(0.0, -0.0, uintBitsToFloat(0x7f800000u)));
    float least = minSecond(a.x, uintBitsToFloat(0x7fc00000u));
    int index = toInt(a.x);
    vec3 unit = saturate(greatest);
    float zeroed = mulZeroWins(least, a.x);
    uint count = toUint(a.x);
    uint bits = floatBitsToUint(a.x);
    float flipped = uintBitsToFloat(bits ^ (count | 0x80000000u));
    float low = minNumber(flipped, a.x);
    float high = maxNumber(low, a.x);
    float flushed = flushDenormal(high);
    vec3 chosen = mix(b.xyz, unit, lessThan(a.xyz, vec3(1.0, 0.1, 1e-7)));
    precise bool value = a.x * a.x + 0.09999943 < 3.0;
    if (value) {
        sum = 0.0;
    }
    color = all_ + vec4(chosen, float(index) + flushed);
    sum += zeroed;
    color.w = sum;
    gl_Position = a;
}
