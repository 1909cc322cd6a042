#version 450
// maxwell_c01_tcs.tesc.dksh#0/tess-control: tess-control program, maxwell
// Assumed: no number is so small that the machine takes it for zero; the sign of a zero does not
// matter, and no NaN is compared; a work group has no more than 1024 by 1024 by 64 invocations, a
// patch no more than 32 vertices; a dynamic index stays inside of the array it starts in.

layout(vertices = 4) out;

layout(std140, binding = 0) uniform block0 {
    float offset;
};

layout(location = 0) in vec3 varying0[];

layout(location = 0) out vec3 varying0_2[];
layout(location = 1) patch out vec4 patch1;

void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    varying0_2[gl_InvocationID] = varying0[gl_InvocationID] * 2.0;
    barrier();
    if (gl_InvocationID == 0) {
        patch1 = vec4(varying0_2[1], offset);
        gl_TessLevelOuter[0] = offset;
        gl_TessLevelOuter[2] = offset;
        gl_TessLevelOuter[1] = offset + 1.0;
        gl_TessLevelInner[0] = offset;
        gl_TessLevelOuter[3] = 2.0;
        gl_TessLevelInner[1] = float(gl_PrimitiveID + gl_PatchVerticesIn);
    }
}
