#version 460
// The offset is fixed, though it is handed over in a register.
// has: textureGradOffset(
layout(location = 0) in vec4 i0;
layout(location = 0) out float o0;
layout(binding = 0) uniform sampler1DArray t0;

void main() {
    gl_Position = i0;
    o0 = textureGradOffset(t0, vec2(i0.x * 0.5 + 0.0131, 1.0), 0.0117, 0.0331, 2).y;
}
