#version 450
// pica200_t08_mova.shbin#0: vertex program, pica200
// Assumed:
// - indices of relative addressing stay inside what they address
// - no operand of mod, sign or step is NaN or infinite

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 pal[32];
};

layout(location = 0) in vec4 idx;

layout(location = 1) out vec4 color;

void main() {
    vec4 v0 = pal[int(idx.x)];
    ivec2 index = ivec2(idx.zw);
    gl_Position = max(pal[int(pal[index.y + 3].y)], pal[index.x + 31] + v0);
    color = step(pal[index.y + 9], v0);
}
