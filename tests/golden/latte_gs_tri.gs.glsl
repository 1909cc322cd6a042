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
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        param0_2 = param0[i];
        param1 = param0[2 - i];
        EmitVertex();
    }
    EndPrimitive();
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position + offset;
        param0_2 = param0[i];
        param1 = param0[2 - i];
        EmitVertex();
    }
    EndPrimitive();
}
