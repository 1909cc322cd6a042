#version 450
// The inverse of four columns, with a vector behind it, in front of it, and a column of it alone.
// has: inverse(
// lacks: cross(
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 normal;
layout(std140, binding = 0) uniform Scene { mat4 view; mat4 model; };
layout(location = 0) out vec3 turned;
layout(location = 1) out vec3 eye;
void main() {
    turned = mat3(transpose(inverse(model))) * normal;
    eye = inverse(view)[3].xyz;
    gl_Position = inverse(view) * position;
}
