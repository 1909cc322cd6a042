#version 450
// The GLSL twin of programs/material_struct.wgsl, for the oracle.
struct Material {
    vec4 diffuse;
    vec4 specular;
    vec4 emission;
};
struct Sun {
    vec3 direction;
    float strength;
};
in vec3 in_position;
in vec3 in_normal;
in float in_blend;
uniform mat4 mvp;
uniform Sun sun;
uniform Material materials[2];
out vec4 color;
out vec3 view;
void main()
{
    float t = clamp(in_blend, 0.0, 1.0);
    vec4 diffuse = mix(materials[0].diffuse, materials[1].diffuse, t);
    vec4 specular = mix(materials[0].specular, materials[1].specular, t);
    vec4 emission = materials[0].emission + materials[1].emission;
    float lit = max(dot(in_normal, sun.direction), 0.0) * sun.strength;
    color = emission + diffuse * lit + specular * (lit * lit * 0.0625);
    gl_Position = mvp * vec4(in_position, 1.0);
    view = in_normal;
}
