#version 460
// hint: d1 0 7
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Out { int d0[]; };
layout(std430, binding = 1) readonly buffer In { int d1[]; };

void main() {
    int sum = 0;
    for (int n = 0; n < (d1[gl_LocalInvocationIndex] & 7); n++) {
        if (n == d1[2]) {
            continue;
        }
        sum += n * d1[n];
        if (sum > 20) {
            break;
        }
    }
    d0[gl_GlobalInvocationID.x] = sum + d1[1];
}
