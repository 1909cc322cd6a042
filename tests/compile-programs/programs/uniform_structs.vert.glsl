#version 450
// Loose uniforms of struct type, one of them an array walked by a loop; the struct goes through functions.
struct Light {
    vec3 direction;
    vec3 color;
    float power;
};

struct Material {
    vec4 diffuse;
    vec4 emission;
};

in vec3 inPosition;
in vec3 inNormal;
uniform mat4 mvp;
uniform Light lights[3];
uniform Material material;
out vec4 color;

vec3 contribution(Light light, vec3 n)
{
    return light.color * (light.power * max(dot(light.direction, n), 0.0));
}

vec4 finish(Material m, vec3 lit)
{
    return vec4(m.diffuse.rgb * lit * 0.125 + m.emission.rgb, m.diffuse.a);
}

void main()
{
    vec3 lit = vec3(0.0);
    for (int i = 0; i < 3; i++) {
        lit += contribution(lights[i], inNormal);
    }
    color = finish(material, lit);
    gl_Position = mvp * vec4(inPosition, 1.0);
}
