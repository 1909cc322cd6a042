#version 460
// lacks: Shuffle
// has: textureGrad(
layout(binding = 2) uniform samplerCube t2;
layout(location = 0) in vec3 i0;
layout(location = 0) out vec4 o0;
layout(location = 1) out float o1;

void main() {
    o0 = i0.xyzz;
    o1 = textureGrad(t2, vec3(clamp(i0.x, -1.0, 1.0) * 0.5 + 0.034, clamp(i0.y, -1.0, 1.0) * 0.5 + 0.034, 1.0), i0 * 0.0731 + 0.0117, vec3(0.0117, 0.0848, 0.0117)).y;
}
