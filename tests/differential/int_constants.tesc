#version 460
// Integer constants that are no numbers, or nearly zero, as floats.
// lacks: 0.0 / 0.0
// lacks: e-4
layout(vertices = 3) out;
layout(location = 0) out ivec3 o0[];
layout(location = 4) patch out ivec4 q0;

void main() {
    o0[gl_InvocationID] = ivec3(31, 2147483647, 1);
    if (gl_InvocationID == 0) {
        q0 = ivec4(-7, 1114111, -1, -97);
        gl_TessLevelOuter[0] = 1.0;
        gl_TessLevelOuter[1] = 3.0;
        gl_TessLevelOuter[2] = 2.0;
        gl_TessLevelOuter[3] = 1.0;
        gl_TessLevelInner[0] = 1.0;
        gl_TessLevelInner[1] = 2.0;
    }
}
