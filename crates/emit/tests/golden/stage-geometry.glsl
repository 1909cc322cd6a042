#version 450

layout(points, invocations = 4) in;
layout(triangle_strip, max_vertices = 1) out;

layout(location = 0) in int number[];

layout(location = 1) flat out int sum;

void main() {
    sum = number[0] + gl_InvocationID;
    gl_ViewportIndex = gl_InvocationID;
    gl_Layer = gl_InvocationID;
    gl_PrimitiveID = gl_PrimitiveIDIn;
    gl_PointSize = 2.0;
    gl_Position = gl_in[0].gl_Position;
    EmitVertex();
    EndPrimitive();
}
