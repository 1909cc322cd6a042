#version 460
// Gradients outside of fragments, which the compiler lowers to a walk over the lanes of a quad.
// has: textureGrad(
// lacks: subgroupShuffle
layout(location = 0) in vec4 i0;
layout(location = 3) out vec2 o3;
layout(binding = 3) uniform sampler1DArrayShadow t3;
layout(binding = 4) uniform sampler2DArray t4;

void main() {
    gl_Position = i0;
    o3 = vec2(textureGrad(t3, vec3(i0.x * 0.5 + 0.0131, 1.0, 0.4013), 0.0117, 0.0331),
        textureGrad(t4, vec3(i0.xy * 0.5 + 0.0131, 2.0), vec2(0.0117), vec2(0.0331, 0.0)).y);
}
