#version 460
// Texels of integers that only pass to an output, which another vertex says is an integer.
// lacks: floatBitsTo
// lacks: BitsToFloat
layout(triangles) in;
layout(points, max_vertices = 2) out;
layout(binding = 0) uniform usampler2D t0;
layout(location = 0) flat out uvec2 o0;
layout(location = 0) in vec2 i0[];

void main() {
    gl_Position = gl_in[0].gl_Position;
    o0 = uvec2(gl_PrimitiveIDIn, 5u) >> 1u;
    EmitVertex();
    gl_Position = gl_in[1].gl_Position;
    o0 = textureLod(t0, vec2(0.28, 0.78), 0.0).yx;
    EmitVertex();
}
