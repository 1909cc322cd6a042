#version 450
// The GLSL twin of programs/particle_fade.wgsl, for the oracle.
in vec3 in_center;
in vec2 in_corner;
in float in_age;
uniform mat4 projection;
uniform vec4 keys[3];
out vec4 color;
out vec2 texcoord0;
void main()
{
    float size = 0.25 + 0.75 * smoothstep(0.0, 0.5, in_age);
    vec4 first = mix(keys[0], keys[1], clamp(in_age * 2.0, 0.0, 1.0));
    vec4 second = mix(keys[1], keys[2], clamp(in_age * 2.0 - 1.0, 0.0, 1.0));
    color = in_age < 0.4995 ? first : second;
    color.a *= 1.0 - in_age;
    gl_Position = projection * vec4(in_center + vec3(in_corner * size, 0.0), 1.0);
    texcoord0 = in_corner;
}
