#version 450
// maxwell_s_gs_streams.geom.dksh#0/geometry: geometry program, maxwell
// Assumed: no number is so small that the machine takes it for zero; the sign of a zero does not
// matter, and no NaN is compared.

layout(points) in;
layout(points, max_vertices = 2) out;

layout(location = 0) out vec4 varying0;
layout(location = 1, stream = 1) out vec4 varying1;

void main() {
    varying0 = gl_in[0].gl_Position;
    EmitStreamVertex(0);
    varying0 = gl_in[0].gl_Position;
    varying1 = gl_in[0].gl_Position * 2.0;
    EmitStreamVertex(1);
}
