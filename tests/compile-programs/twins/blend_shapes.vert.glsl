#version 450
// The GLSL twin of programs/blend_shapes.wgsl, for the oracle.
in vec3 position;
in vec3 shape0;
in vec3 shape1;
in vec3 shape2;
in vec3 shape3;
uniform mat4 mvp;
uniform vec4 weights;
out vec4 color;
void main()
{
    vec3 p = position + shape0 * weights.x + shape1 * weights.y + shape2 * weights.z + shape3 * weights.w;
    gl_Position = mvp * vec4(p, 1.0);
    color = vec4(clamp(weights.xyz, 0.0, 1.0), 1.0);
}
