#version 330
// latte_gs_tri.gs.bin: geometry program, latte
// Assumed: no number is so small that the machine takes it for zero.

layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;

layout(std140) uniform cb0 {
    vec4 offset;
};

in vec4 param0[];

out vec4 param0_2;
out vec4 param1;

void main() {
    gl_Position = gl_in[0].gl_Position;
    param0_2 = param0[0];
    param1 = param0[2];
    EmitVertex();
    gl_Position = gl_in[1].gl_Position;
    param0_2 = param0[1];
    param1 = param0[1];
    EmitVertex();
    gl_Position = gl_in[2].gl_Position;
    param0_2 = param0[2];
    param1 = param0[0];
    EmitVertex();
    EndPrimitive();
    gl_Position = gl_in[0].gl_Position + offset;
    param0_2 = param0[0];
    param1 = param0[2];
    EmitVertex();
    gl_Position = gl_in[1].gl_Position + offset;
    param0_2 = param0[1];
    param1 = param0[1];
    EmitVertex();
    gl_Position = gl_in[2].gl_Position + offset;
    param0_2 = param0[2];
    param1 = param0[0];
    EmitVertex();
    EndPrimitive();
}
