#version 450
// example.shbin #0, for PICA200

layout(points) in;
layout(triangle_strip, max_vertices = 4) out;

layout(std140, binding = 0) uniform Uniforms {
    vec2 size;
};

layout(location = 0) in vec4 center[];
layout(location = 1) in vec4 tint[];

layout(location = 1) out vec4 color;

void main() {
    gl_Position = center[0] + vec4(size * vec2(-1.0), 0.0, 0.0);
    color = tint[0];
    EmitVertex();
    gl_Position = center[0] + vec4(size * vec2(1.0, -1.0), 0.0, 0.0);
    color = tint[0];
    EmitVertex();
    gl_Position = center[0] + vec4(size * vec2(-1.0, 1.0), 0.0, 0.0);
    color = tint[0];
    EmitVertex();
    gl_Position = center[0] + vec4(size * vec2(1.0), 0.0, 0.0);
    color = tint[0];
    EmitVertex();
    EndPrimitive();
}
