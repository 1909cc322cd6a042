#version 450
// The GLSL twin of programs/hemisphere.wgsl, for the oracle.
in vec4 in_position;
in vec3 in_normal;
uniform mat4 mvp;
uniform vec3 sky;
uniform vec3 ground;
uniform vec3 sun_direction;
uniform vec3 sun_color;
out vec4 color;
void main()
{
    vec3 sun = sun_color * max(dot(in_normal, sun_direction), 0.0);
    float up = clamp(in_normal.y * 0.5 + 0.5, 0.0, 1.0);
    gl_Position = mvp * in_position;
    color = vec4(mix(ground, sky, up) + sun, 1.0);
}
