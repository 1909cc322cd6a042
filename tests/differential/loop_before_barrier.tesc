#version 460
// A loop in front of a barrier, which leaves no instruction in control programs.
layout(vertices = 2) out;
layout(location = 0) out vec3 o0[];
layout(location = 8) patch out vec3 q8;

void main() {
    int n = 0;
    do {
        ++n;
    } while (n < 3 && 1.0 <= gl_in[1].gl_Position.w);
    o0[gl_InvocationID] = gl_in[gl_InvocationID].gl_Position.xyz * float(n);
    barrier();
    if (gl_InvocationID == 0) {
        q8 = o0[0] * 0.5;
        gl_TessLevelOuter[0] = 1.0;
        gl_TessLevelOuter[1] = 1.0;
        gl_TessLevelOuter[2] = 3.0;
        gl_TessLevelOuter[3] = 1.0;
        gl_TessLevelInner[0] = 1.0;
        gl_TessLevelInner[1] = 1.0;
    }
}
