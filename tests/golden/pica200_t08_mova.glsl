#version 450
// pica200_t08_mova.shbin#0: vertex program, pica200
// Assumed: indices of relative addressing stay inside what they address; no operand of mod, sign or
// step is NaN or infinite.

layout(std140, binding = 0) uniform Uniforms {
    vec4 pal[32];
};

layout(location = 0) in vec4 idx;
layout(location = 1) in vec4 w;

layout(location = 1) out vec4 color;

void main() {
    vec4 palValue = pal[int(idx.x)];
    ivec2 idxValue = ivec2(idx.zw);
    gl_Position = max(pal[int(pal[idxValue.y + 3].y)], pal[idxValue.x + 31] + palValue);
    color = step(pal[idxValue.y + 9], palValue);
}
