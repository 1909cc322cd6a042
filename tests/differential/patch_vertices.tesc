#version 460
// A patch has at most 32 vertices, so their number may be cut to any width from 6 bits on.
// has: gl_PatchVerticesIn
layout(vertices = 3) out;
layout(location = 0) out float o0[];

void main() {
    o0[gl_InvocationID] = gl_in[(gl_PatchVerticesIn & 2147483647) % 3].gl_Position.x;
    if (gl_InvocationID == 0) {
        gl_TessLevelOuter[0] = 1.5;
        gl_TessLevelOuter[1] = 1.0;
        gl_TessLevelOuter[2] = float(1u - uint(gl_PatchVerticesIn) & 3u) + 1.0;
        gl_TessLevelOuter[3] = 1.0;
        gl_TessLevelInner[0] = 1.0;
        gl_TessLevelInner[1] = clamp(abs(gl_in[uint(gl_PatchVerticesIn) % 3u].gl_Position.x), 0.0, 1.0) + 1.0;
    }
}
