#version 460
// What stands behind an array in a block has a type of its own: a mask, a remainder, and a loop say where the array ends.
// has: [4];
// has: [5];
// has: [6];
// lacks: BitsToInt
// lacks: BitsToFloat
layout(std140, binding = 0) uniform Masked {
    ivec4 numbers[4];
    float scale;
    bvec4 flags;
};
layout(std140, binding = 1) uniform Divided {
    vec4 offsets[5];
    ivec2 mode;
};
layout(std140, binding = 2) uniform Looped {
    vec4 lights[6];
    uint count;
    vec3 ambient;
};
layout(location = 0) in vec4 position;
layout(location = 0) flat out int number;
layout(location = 1) out vec4 shade;

void main() {
    gl_Position = position * scale + offsets[(gl_VertexID & 65535) % 5];
    number = numbers[gl_InstanceID & 3].y + mode.x * mode.y + (any(flags) ? 1 : 0);
    shade = vec4(ambient, float(count & 7u));
    int n = 0;
    while (n < 6 && lights[n].w > position.x) {
        shade += lights[n] * position.y;
        n++;
    }
}
