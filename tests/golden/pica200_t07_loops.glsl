#version 450
// pica200_t07_loops.shbin#0: vertex program, pica200
// Assumed:
// - indices of relative addressing stay inside what they address
// - no product of zero with an infinity or NaN is formed

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 tab[24];
    ivec4 user;
};

layout(location = 0) in vec4 v;

void main() {
    vec4 position_value = tab[0];
    bool c0 = false;
    for (int i = 0; i < 4; i++) {
        position_value += tab[i];
        c0 = position_value.y > v.y;
        if (position_value.x > v.x) {
            break;
        }
        position_value *= v;
    }
    int n0 = 0;
    for (int i = 0; i < 4; i++) {
        for (int j = 4; j < 7; j += 2) {
            position_value = v * (v * tab[j + 1] + position_value) + tab[j];
        }
    }
    while (n0 <= user.x) {
        if (c0) {
            break;
        }
        n0++;
    }
    for (int i = 0; i <= user.x; i++) {
        for (int j = 4; j < 7; j += 2) {
            position_value = tab[j + 3] + (tab[j] + position_value);
        }
    }
    gl_Position = position_value;
}
