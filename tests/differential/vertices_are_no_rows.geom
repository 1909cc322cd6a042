#version 460
// One vector times each vertex of a primitive, which are no rows of a matrix.
// has: gl_in[
layout(lines_adjacency) in;
layout(line_strip, max_vertices = 4) out;
layout(location = 0) out vec4 o0;

void main() {
    for (int n = 0; n < 4; n++) {
        gl_Position = faceforward(gl_in[n].gl_Position, gl_in[n].gl_Position, vec4(-1.75, 5.0, -0.75, -0.5));
        o0 = vec4(float(n));
        EmitVertex();
    }
}
