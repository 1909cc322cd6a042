#version 460
// Values of the way that returns early and of the others meet in one register: its variable holds nothing else.
// lacks: BitsToInt
// lacks: BitsToFloat
layout(location = 0) flat in ivec2 mode;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 chosen;
layout(location = 1) out vec4 other;

float weigh(vec4 value) {
    float sum = 0.0;
    for (int n = 0; n < (mode.x & 7); ++n) {
        sum += value[n & 3] * float(n);
    }
    return sum;
}

void main() {
    if (mode.x * mode.y != 2) {
        chosen = vec4(0.5, 0.25, 0.125, 3.0);
        other = vec4(1.5);
        return;
    }
    float weight = weigh(color);
    chosen = trunc(color.wzyx * weight + 0.25);
    other = vec4(mode.yx, weight, color.x);
}
