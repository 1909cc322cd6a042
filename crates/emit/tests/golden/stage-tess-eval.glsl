#version 450

layout(quads, fractional_odd_spacing, cw) in;

layout(location = 3) patch in vec4 patchColor;

layout(location = 8) out vec4 color;

void main() {
    gl_Position = vec4(
        gl_in[0].gl_Position.x,
        gl_in[1].gl_Position.y,
        gl_in[2].gl_Position.z,
        gl_in[0].gl_Position.w
    ) + gl_TessCoord.x;
    color = patchColor + gl_TessLevelOuter[1];
}
