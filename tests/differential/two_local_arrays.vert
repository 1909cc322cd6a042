#version 460
// Arrays of floats and of integers in a thread's own memory.
// has: float memory
// lacks: BitsTo
// lacks: floatBits
// hint: i1 0 3
layout(location = 0) in vec4 i0;
layout(location = 1) in int i1;
layout(location = 0) flat out int o0;

void main() {
    float floats[4] = float[4](i0.x * 2.0, i0.y + 1.0, i0.z * i0.z, i0.w - 3.0);
    int numbers[4] = int[4](i1 + 5, i1 * 3, 7 - i1, i1 << 2);
    floats[i1 & 3] *= 0.5;
    numbers[(i1 + 1) & 3] += 11;
    gl_Position = vec4(floats[(i1 + 2) & 3], floats[i1 & 3], 0.0, 1.0);
    o0 = numbers[(i1 + 3) & 3] - numbers[(i1 + 1) & 3];
}
