#version 460
// Integers that are chosen for an output of each vertex.
// lacks: floatBitsTo
// lacks: BitsToFloat
layout(vertices = 2) out;
layout(location = 0) in vec2 i0[];
layout(location = 0) flat out int o0[];

void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    o0[gl_InvocationID] = i0[0].x < 0.5 ? 1 : 0;
    gl_TessLevelOuter[0] = 1.0;
    gl_TessLevelOuter[1] = 2.0;
    gl_TessLevelOuter[2] = 1.0;
    gl_TessLevelOuter[3] = 2.0;
    gl_TessLevelInner[0] = 1.0;
    gl_TessLevelInner[1] = 1.0;
}
