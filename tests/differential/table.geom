#version 460
// A table of constants that is read by an index: its numbers lie in the file.
// has: const vec2
// lacks: bank1
layout(points) in;
layout(points, max_vertices = 2) out;
layout(location = 1) out vec2 o1;

void main() {
    const vec2 table[4] = vec2[4](vec2(3.0, -1.0), vec2(0.5, 7.0), vec2(-2.25, 11.0), vec2(0.0, 13.0));
    gl_Position = gl_in[0].gl_Position;
    o1 = table[gl_PrimitiveIDIn & 3];
    EmitVertex();
    gl_Position = gl_in[0].gl_Position;
    o1 = table[(gl_PrimitiveIDIn + 1) & 3];
    EmitVertex();
}
