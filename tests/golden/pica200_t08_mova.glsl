#version 450
// pica200_t08_mova.shbin#0: vertex program, pica200
// Assumed: indices of relative addressing stay inside what they address; no operand of mod, sign or
// step is NaN or infinite.

layout(std140, binding = 0) uniform Uniforms {
    vec4 pal[32];
};

layout(location = 0) in vec4 idx;

layout(location = 1) out vec4 color;

void main() {
    vec4 pal2 = pal[int(idx.x)];
    ivec2 idx2 = ivec2(idx.zw);
    gl_Position = max(pal[int(pal[idx2.y + 3].y)], pal[idx2.x + 31] + pal2);
    color = step(pal[idx2.y + 9], pal2);
}
