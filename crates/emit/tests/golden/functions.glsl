#version 450
// example.shbin #0, for PICA200

layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;

layout(location = 1) out vec4 color;

vec4 shade(vec4 base, float amount) {
    amount += 0.25;
    if (amount < 0.5) {
        return base;
    }
    return base * amount;
}

void split(vec4 whole, out vec2 front, out vec2 back) {
    front = whole.xy;
    back = whole.zw;
}

void either(vec4 whole, out vec4 result0, out float result1) {
    if (whole.x < 0.0) {
        result0 = -whole;
        result1 = -1.0;
        return;
    }
    result0 = whole;
    result1 = 1.0;
}

void note() {
    color = vec4(1.0, 0.5, 0.25, 1.0);
}

void main() {
    note();
    vec4 tone = shade(b, a.w);
    vec2 head;
    vec2 tail;
    split(tone, head, tail);
    float sign_;
    vec4 unused;
    either(a, unused, sign_);
    shade(a, sign_);
    split(a * sign_, tone.xy, tone.zw);
    color.xy = head + tail;
    gl_Position = tone;
}
