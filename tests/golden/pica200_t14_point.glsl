#version 450
// pica200_t14_point.shbin#0: geometry program, pica200

layout(points) in;
layout(triangle_strip, max_vertices = 9) out;

layout(std140, binding = 0) uniform Uniforms {
    vec4 off[3];
};

layout(location = 0) in vec4 ipos[];

layout(location = 1) out vec4 color;

void main() {
    vec4 position = off[1] + ipos[0];
    vec4 position2 = off[2] + ipos[0];
    gl_Position = off[0] + ipos[0];
    color = vec4(1.0, 0.0, 0.0, 1.0);
    EmitVertex();
    gl_Position = position;
    color = vec4(0.0, 1.0, 0.0, 1.0);
    EmitVertex();
    gl_Position = position2;
    color = vec4(0.0, 0.0, 1.0, 1.0);
    EmitVertex();
    EndPrimitive();
    gl_Position = position;
    color = vec4(0.0, 1.0, 0.0, 1.0);
    EmitVertex();
    gl_Position = ipos[0];
    color = vec4(1.0, 0.0, -1.0, 0.5);
    EmitVertex();
    gl_Position = position2;
    color = vec4(0.0, 0.0, 1.0, 1.0);
    EmitVertex();
    EndPrimitive();
    for (int i = 0; i < 3; i++) {
        gl_Position = ipos[0];
        color = vec4(1.0, 0.0, -1.0, 0.5);
        EmitVertex();
    }
    EndPrimitive();
}
