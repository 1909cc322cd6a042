#version 450
// The GLSL twin of programs/matcap.wgsl, for the oracle.
in vec3 in_position;
in vec3 in_normal;
uniform mat4 view_model;
uniform mat4 projection;
out vec2 texcoord0;
out vec3 view;
void main()
{
    vec4 eye = view_model * vec4(in_position, 1.0);
    vec3 n = (view_model * vec4(in_normal, 0.0)).xyz;
    gl_Position = projection * eye;
    texcoord0 = n.xy * vec2(0.5, -0.5) + 0.5;
    view = -eye.xyz;
}
