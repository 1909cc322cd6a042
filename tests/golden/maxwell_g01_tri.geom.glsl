#version 450
// maxwell_g01_tri.geom.dksh#0/geometry: geometry program, maxwell
// Assumed: no number is so small that the machine takes it for zero; a product may be rounded
// before something is added to it; the terms of a dot product may be added in any order.

layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;

layout(std140, binding = 0) uniform block0 {
    mat4 transform;
    mat4 transform2;
};

layout(location = 0) in vec3 varying0[];

layout(location = 0) out vec3 varying0_2;

void main() {
    for (int i = 0; i < 3; i++) {
        gl_Layer = 0;
        gl_PrimitiveID = gl_PrimitiveIDIn;
        gl_Position = transform * gl_in[i].gl_Position;
        varying0_2 = varying0[i];
        EmitVertex();
    }
    EndPrimitive();
    for (int i = 0; i < 3; i++) {
        gl_Layer = 1;
        gl_PrimitiveID = gl_PrimitiveIDIn;
        gl_Position = transform2 * gl_in[i].gl_Position;
        varying0_2 = varying0[i];
        EmitVertex();
    }
    EndPrimitive();
}
