#version 450
// The GLSL twin of programs/lit_loop.wgsl, for the oracle.
struct Light {
    vec4 direction;
    vec4 color;
};
in vec3 in_position;
in vec3 in_normal;
uniform mat4 mvp;
uniform Light lights[6];
uniform int light_count;
out vec4 color;
void main()
{
    vec3 sum = vec3(0.0625);
    for (int i = 0; i < light_count; i++) {
        float lit = max(dot(lights[i].direction.xyz, in_normal), 0.0);
        sum += lights[i].color.rgb * lit;
    }
    gl_Position = mvp * vec4(in_position, 1.0);
    color = vec4(sum, 1.0);
}
