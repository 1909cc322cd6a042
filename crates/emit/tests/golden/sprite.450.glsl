#version 450
// example.shbin #0, for PICA200

uniform float u_size;

in vec4 a_position;

void main() {
    gl_PointSize = u_size * a_position.w;
    gl_Position = a_position;
}
