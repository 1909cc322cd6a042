#version 450
// maxwell_g01_tri.geom.dksh#0/geometry: geometry program, maxwell
// Assumed:
// - no number is so small that the machine takes it for zero
// - a product may be rounded before something is added to it

layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;

layout(std140, binding = 0) uniform block0 {
    vec4 block0_values[8];
};

layout(location = 0) in vec3 input0[];

layout(location = 0) out vec3 output0;

void main() {
    gl_Layer = 0;
    gl_PrimitiveID = gl_PrimitiveIDIn;
    gl_Position = gl_in[0].gl_Position.y * block0_values[1]
        + gl_in[0].gl_Position.x * block0_values[0]
        + gl_in[0].gl_Position.z * block0_values[2]
        + gl_in[0].gl_Position.w * block0_values[3];
    output0 = input0[0];
    EmitVertex();
    gl_Layer = 0;
    gl_PrimitiveID = gl_PrimitiveIDIn;
    gl_Position = gl_in[1].gl_Position.y * block0_values[1]
        + gl_in[1].gl_Position.x * block0_values[0]
        + gl_in[1].gl_Position.z * block0_values[2]
        + gl_in[1].gl_Position.w * block0_values[3];
    output0 = input0[1];
    EmitVertex();
    gl_Layer = 0;
    gl_PrimitiveID = gl_PrimitiveIDIn;
    gl_Position = gl_in[2].gl_Position.y * block0_values[1]
        + gl_in[2].gl_Position.x * block0_values[0]
        + gl_in[2].gl_Position.z * block0_values[2]
        + gl_in[2].gl_Position.w * block0_values[3];
    output0 = input0[2];
    EmitVertex();
    EndPrimitive();
    gl_Layer = 1;
    gl_PrimitiveID = gl_PrimitiveIDIn;
    gl_Position = gl_in[0].gl_Position.y * block0_values[5]
        + gl_in[0].gl_Position.x * block0_values[4]
        + gl_in[0].gl_Position.z * block0_values[6]
        + gl_in[0].gl_Position.w * block0_values[7];
    output0 = input0[0];
    EmitVertex();
    gl_Layer = 1;
    gl_PrimitiveID = gl_PrimitiveIDIn;
    gl_Position = gl_in[1].gl_Position.y * block0_values[5]
        + gl_in[1].gl_Position.x * block0_values[4]
        + gl_in[1].gl_Position.z * block0_values[6]
        + gl_in[1].gl_Position.w * block0_values[7];
    output0 = input0[1];
    EmitVertex();
    gl_Layer = 1;
    gl_PrimitiveID = gl_PrimitiveIDIn;
    output0 = input0[2];
    gl_Position = gl_in[2].gl_Position.y * block0_values[5]
        + gl_in[2].gl_Position.x * block0_values[4]
        + gl_in[2].gl_Position.z * block0_values[6]
        + gl_in[2].gl_Position.w * block0_values[7];
    EmitVertex();
    EndPrimitive();
}
