#version 450
// The GLSL twin of programs/outline.wgsl, for the oracle.
in vec4 in_position;
in vec3 in_normal;
uniform mat4 mvp;
uniform vec4 tint;
uniform vec2 pixel_size;
uniform float width;
out vec4 color;
void main()
{
    vec4 clip = mvp * in_position;
    vec2 direction = (mvp * vec4(in_normal, 0.0)).xy;
    float squared = dot(direction, direction) + 1.0;
    vec2 offset = direction * (inversesqrt(squared) * width);
    gl_Position = vec4(clip.xy + offset * pixel_size * clip.w, clip.zw);
    color = tint;
}
