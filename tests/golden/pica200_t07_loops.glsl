#version 450
// pica200_t07_loops.shbin#0: vertex program, pica200
// Assumed: indices of relative addressing stay inside what they address; no product of zero with an
// infinity or NaN is formed.

layout(std140, binding = 0) uniform Uniforms {
    vec4 tab[24];
    ivec4 user;
};

layout(location = 0) in vec4 v;

void main() {
    vec4 position = tab[0];
    bool isAbove = false;
    for (int i = 0; i < 4; i++) {
        position += tab[i];
        isAbove = position.y > v.y;
        if (position.x > v.x) {
            break;
        }
        position *= v;
    }
    int j = 0;
    for (int i = 0; i < 4; i++) {
        for (int k = 4; k < 7; k += 2) {
            position = v * (v * tab[k + 1] + position) + tab[k];
        }
    }
    while (j <= user.x) {
        if (isAbove) {
            break;
        }
        j++;
    }
    for (int i = 0; i <= user.x; i++) {
        for (int k = 4; k < 7; k += 2) {
            position = tab[k + 3] + (tab[k] + position);
        }
    }
    gl_Position = position;
}
