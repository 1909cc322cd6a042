#version 330
// latte_gs_tri.gs.bin: geometry program, latte
// Assumed:
// - no number is so small that the machine takes it for zero

layout(points) in;
layout(triangle_strip, max_vertices = 6) out;

layout(std140) uniform cb0 {
    vec4 cb0_data[1];
};

in vec4 input1[];
in vec4 input34[];
in vec4 input67[];
in vec4 input0[];
in vec4 input33[];
in vec4 input66[];

out vec4 param0;
out vec4 param1;

void main() {
    gl_Position = input0[0];
    param0 = input1[0];
    param1 = input67[0];
    EmitVertex();
    gl_Position = input33[0];
    param0 = input34[0];
    param1 = input34[0];
    EmitVertex();
    gl_Position = input66[0];
    param0 = input67[0];
    param1 = input1[0];
    EmitVertex();
    EndPrimitive();
    gl_Position = input0[0] + cb0_data[0];
    param0 = input1[0];
    param1 = input67[0];
    EmitVertex();
    gl_Position = input33[0] + cb0_data[0];
    param0 = input34[0];
    param1 = input34[0];
    EmitVertex();
    gl_Position = input66[0] + cb0_data[0];
    param0 = input67[0];
    param1 = input1[0];
    EmitVertex();
    EndPrimitive();
}
