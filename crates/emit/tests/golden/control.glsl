#version 450
// example.shbin #0, for PICA200

layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;

layout(location = 1) out vec4 color;

void main() {
    gl_Position = vec4(0.0);
    color = vec4(0.0);
    float sum = 0.0;
    int count = int(a.x);
    // Weights.
    for (int i = 0; i < count; i++) {
        if (sum >= 100.0) {
            break;
        }
        sum += float(i);
    }
    for (int j = 8; j > 0; j -= 2) {
        if (sum >= 50.0) {
            continue;
        }
        sum += 0.5;
    }
    if (sum >= 10.0) {
        sum += 1.0;
    } else if (sum >= 5.0) {
        sum += 2.0;
    } else if (!(sum >= 1.0)) {
        sum += 3.0;
    }
    while (sum < 7.0) {
        sum *= 2.0;
        sum += 1.0;
    }
    do {
        sum *= 0.5;
    } while (sum >= 3.0);
    while (true) {
        sum += 1.0;
        if (sum >= 4.0) {
            break;
        }
    }
    switch (count) {
    case 0:
        sum += 1.0;
        break;
    case 1:
    case -1: {
        float half_ = sum;
        sum += half_;
        break;
    }
    case 5:
        if (sum >= 9.0) {
            break;
        }
        sum += 5.0;
        break;
    case 9:
        return;
    default:
        sum = -sum;
        break;
    }
    if (true) {
    }
    if (!(sum >= 0.0 || false)) {
        sum += 6.0;
    }
    if (sum >= 0.0) {
        sum += 6.0;
    }
    color = vec4(sum);
    gl_Position = a;
}
