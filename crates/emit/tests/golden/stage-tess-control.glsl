#version 450
// Assumed:
// - a dynamic index stays inside of the array it starts in

layout(vertices = 3) out;

layout(location = 0) in vec3 Inputdirection[];

layout(location = 0) out vec3 Outputdirection[];
layout(location = 3) patch out vec4 patchColor;

void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    Outputdirection[gl_InvocationID] = Inputdirection[gl_InvocationID];
    barrier();
    if (gl_InvocationID == 0) {
        float tess_level_outer2 = gl_out[1].gl_Position.x;
        gl_TessLevelOuter[0] = tess_level_outer2;
        patchColor.x = tess_level_outer2;
        float tess_level_outer3 = gl_out[1].gl_Position.y;
        gl_TessLevelOuter[1] = tess_level_outer3;
        patchColor.y = tess_level_outer3;
        float tess_level_outer4 = gl_out[1].gl_Position.z;
        gl_TessLevelOuter[2] = tess_level_outer4;
        patchColor.z = tess_level_outer4;
        float tess_level_outer5 = gl_out[1].gl_Position.w;
        gl_TessLevelOuter[3] = tess_level_outer5;
        patchColor.w = tess_level_outer5;
        gl_TessLevelInner[1] = float(gl_PatchVerticesIn + gl_PrimitiveID);
    }
}
