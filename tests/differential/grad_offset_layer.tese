#version 460
// lacks: bitfield
// has: textureGradOffset(
layout(quads, equal_spacing, cw) in;
layout(binding = 0) uniform sampler1DArray t0;
layout(location = 0) in vec2 i0[];
layout(location = 0) out vec4 o0;

void main() {
    gl_Position = vec4(gl_TessCoord, 1.0);
    o0 = textureGradOffset(t0, vec2(i0[1].x * 0.5 + 0.0251, float(gl_PrimitiveID & 3)), 0.0848, i0[0].y * 0.0731 + 0.0117, -1);
}
