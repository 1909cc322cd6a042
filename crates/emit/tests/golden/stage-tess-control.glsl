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
        float patchColorValue = gl_out[1].gl_Position.x;
        gl_TessLevelOuter[0] = patchColorValue;
        patchColor.x = patchColorValue;
        float patchColorValue2 = gl_out[1].gl_Position.y;
        gl_TessLevelOuter[1] = patchColorValue2;
        patchColor.y = patchColorValue2;
        float patchColorValue3 = gl_out[1].gl_Position.z;
        gl_TessLevelOuter[2] = patchColorValue3;
        patchColor.z = patchColorValue3;
        float patchColorValue4 = gl_out[1].gl_Position.w;
        gl_TessLevelOuter[3] = patchColorValue4;
        patchColor.w = patchColorValue4;
        gl_TessLevelInner[1] = float(gl_PatchVerticesIn + gl_PrimitiveID);
    }
}
