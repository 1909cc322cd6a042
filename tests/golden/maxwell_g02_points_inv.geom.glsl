#version 450
// maxwell_g02_points_inv.geom.dksh#0/geometry: geometry program, maxwell
// Assumed: no number is so small that the machine takes it for zero.

layout(points, invocations = 4) in;
layout(points, max_vertices = 2) out;

layout(location = 0) in int varying0[];

layout(location = 1) flat out int varying1;

void main() {
    int sum = varying0[0] + gl_InvocationID;
    varying1 = sum;
    gl_Position = gl_in[0].gl_Position;
    gl_ViewportIndex = gl_InvocationID;
    gl_PointSize = 2.0;
    EmitVertex();
    if (sum > 3) {
        varying1 = sum;
        gl_Position = vec4(gl_in[0].gl_Position.x + 1.0, gl_in[0].gl_Position.yzw);
        gl_ViewportIndex = gl_InvocationID;
        gl_PointSize = 2.0;
        EmitVertex();
    }
    EndPrimitive();
}
