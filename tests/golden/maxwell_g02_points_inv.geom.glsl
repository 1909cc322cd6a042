#version 450
// maxwell_g02_points_inv.geom.dksh#0/geometry: geometry program, maxwell
// Assumed:
// - no number is so small that the machine takes it for zero

layout(points, invocations = 4) in;
layout(points, max_vertices = 2) out;

layout(location = 0) in int input0[];

layout(location = 1) flat out int output1;

void main() {
    int output1_value = input0[0] + gl_InvocationID;
    output1 = output1_value;
    gl_Position = gl_in[0].gl_Position;
    gl_ViewportIndex = gl_InvocationID;
    gl_PointSize = 2.0;
    EmitVertex();
    if (output1_value > 3) {
        output1 = output1_value;
        gl_Position = vec4(gl_in[0].gl_Position.x + 1.0, gl_in[0].gl_Position.yzw);
        gl_ViewportIndex = gl_InvocationID;
        gl_PointSize = 2.0;
        EmitVertex();
    }
    EndPrimitive();
}
