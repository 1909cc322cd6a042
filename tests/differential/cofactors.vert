#version 460
// The transposed inverse of a matrix is made of the cross products of its columns.
// has: inverse(
layout(std140, binding = 0) uniform Block { mat4 model; };
layout(location = 0) in vec4 i0;
layout(location = 1) in vec3 i1;
layout(location = 0) out vec3 o0;

void main() {
    gl_Position = model * i0;
    o0 = transpose(inverse(mat3(model))) * i1;
}
