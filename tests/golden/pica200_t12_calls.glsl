#version 450
// pica200_t12_calls.shbin#0: vertex program, pica200
// Assumed: no product of zero with an infinity or NaN is formed; the sign of a zero does not
// matter, and no NaN is compared.

layout(std140, binding = 0) uniform Uniforms {
    vec4 u;
    bool b;
};

layout(location = 0) in vec4 v;

void main() {
    vec4 product = u * (u + u * 2.0);
    gl_Position = b ? u + product * v : u + product;
}
