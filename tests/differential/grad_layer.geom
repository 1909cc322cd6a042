#version 460
// lacks: Shuffle
// has: textureGrad(
layout(points) in;
layout(points, max_vertices = 1) out;
layout(binding = 1) uniform sampler2DArrayShadow t1;
layout(location = 0) in vec4 i0[];
layout(location = 0) out float o0;

void main() {
    float lit = 0.25;
    if (i0[0].w > i0[0].y) {
        lit = textureGrad(t1, vec4(i0[0].xy * 0.5 + 0.0251, float(gl_PrimitiveIDIn & 3), 0.4), i0[0].zw * 0.0731 + 0.0117, vec2(0.0117));
    }
    o0 = lit;
    gl_Position = i0[0];
    EmitVertex();
}
