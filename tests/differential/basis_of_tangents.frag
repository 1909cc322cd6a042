#version 450
// Cross products of which one is made of components of another.
layout(location = 0) in vec3 tangent;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 light;
layout(location = 0) out vec4 color;
void main() {
    mat3 basis = inverse(mat3(tangent, cross(normal, tangent), normal));
    color = vec4(basis * light, 1.0);
}
