#version 460
// One component of an output only moves, another is compared too, in a loop that reads it for itself.
// lacks: BitsToInt
layout(std140, binding = 0) uniform Block {
    vec2 limit;
    uvec4 mode;
};
layout(location = 0) in vec2 position;
layout(location = 0) flat out uvec3 modes;

void main() {
    int n = 0;
    do {
        n += 1;
        if (limit.x >= position.x) {
            break;
        }
    } while (n < 5 && mode.w == mode.x);
    gl_Position = vec4(position, float(n), 1.0);
    modes = mode.xxz;
}
