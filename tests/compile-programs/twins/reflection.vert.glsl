#version 450
// The GLSL twin of programs/reflection.wgsl, for the oracle.
in vec3 in_position;
in vec3 in_normal;
uniform mat4 view_projection;
uniform vec3 eye;
out vec2 texcoord0;
out float texcoord0w;
out vec4 color;
void main()
{
    vec3 n = normalize(in_normal);
    vec3 incident = normalize(in_position - eye - vec3(0.0, 0.0, 9.0));
    vec3 r = reflect(incident, n);
    float facing = clamp(-dot(incident, n), 0.0, 1.0);
    float fresnel = 0.0625 + 0.9375 * pow(1.0 - facing * 0.875, 5.0);
    gl_Position = view_projection * vec4(in_position, 1.0);
    texcoord0 = r.xy;
    texcoord0w = r.z;
    color = vec4(vec3(facing), fresnel);
}
