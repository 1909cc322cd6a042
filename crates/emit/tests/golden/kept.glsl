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

vec4 color_kept = vec4(0.0);

// Emits a vertex; the outputs keep their values for the next one.
void emitVertex() {
    color = color_kept;
    EmitVertex();
}

void main() {
    gl_Position = center[0] + vec4(size * vec2(-1.0), 0.0, 0.0);
    color_kept = tint[0];
    emitVertex();
    gl_Position = center[0] + vec4(size * vec2(1.0, -1.0), 0.0, 0.0);
    emitVertex();
    gl_Position = center[0] + vec4(size * vec2(-1.0, 1.0), 0.0, 0.0);
    emitVertex();
    gl_Position = center[0] + vec4(size * vec2(1.0), 0.0, 0.0);
    emitVertex();
    EndPrimitive();
}
