#version 450
// Assumed: a dynamic index stays inside of the array it starts in.

layout(vertices = 3) out;

layout(location = 0) in vec3 Inputdirection[];

layout(location = 0) out vec3 Outputdirection[];
layout(location = 3) patch out vec4 patchColor;

void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    Outputdirection[gl_InvocationID] = Inputdirection[gl_InvocationID];
    barrier();
    if (gl_InvocationID == 0) {
        float patchColorValueX = gl_out[1].gl_Position.x;
        gl_TessLevelOuter[0] = patchColorValueX;
        patchColor.x = patchColorValueX;
        float patchColorValueY = gl_out[1].gl_Position.y;
        gl_TessLevelOuter[1] = patchColorValueY;
        patchColor.y = patchColorValueY;
        float patchColorValueZ = gl_out[1].gl_Position.z;
        gl_TessLevelOuter[2] = patchColorValueZ;
        patchColor.z = patchColorValueZ;
        float patchColorValueW = gl_out[1].gl_Position.w;
        gl_TessLevelOuter[3] = patchColorValueW;
        patchColor.w = patchColorValueW;
        gl_TessLevelInner[1] = float(gl_PatchVerticesIn + gl_PrimitiveID);
    }
}
