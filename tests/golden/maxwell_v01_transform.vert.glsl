#version 450
// maxwell_v01_transform.vert.dksh#0/vertex: vertex program, maxwell
// Assumed: no number is so small that the machine takes it for zero; a product may be rounded
// before something is added to it; the terms of a dot product may be added in any order; vectors
// that are normalized are not zero.

layout(std140, binding = 0) uniform block0 {
    mat4 transform;
    mat4 transform2;
    vec4 scale;
};

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texCoord;

layout(location = 0) out vec3 varying0;
layout(location = 1) out vec2 varying1;

void main() {
    gl_Position = transform * (transform2 * vec4(position, 1.0));
    varying0 = normalize(mat3(transform2) * normal);
    varying1 = texCoord * scale.xy + scale.zw;
}
