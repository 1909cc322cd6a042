#version 300 es
// Model matrix stored as three rows of four (mat3x4), multiplied from the left as the 3DS likes it.
precision highp float;

in vec4 inPosition;
in vec3 inNormal;

uniform mat3x4 modelRows;
uniform mat4 projection;

out vec4 color;
out vec3 view;

void main()
{
    vec3 world = inPosition * modelRows;
    vec3 normal = vec4(inNormal, 0.0) * modelRows;
    gl_Position = projection * vec4(world, 1.0);
    view = -world;
    color = vec4(normal * 0.125 + 0.5, 1.0);
}
