#version 450
// Point lights with distance attenuation in a struct, evaluated by a function.
// range: lightBrightness 0 4
struct PointLight {
    vec3 position;
    float brightness;
    vec3 color;
};

in vec3 inPosition;
in vec3 inNormal;

uniform mat4 mvp;
uniform vec3 lightPosition[3];
uniform float lightBrightness[3];
uniform vec3 lightColor[3];

out vec4 color;

vec3 shade(PointLight light, vec3 point, vec3 normal)
{
    vec3 toLight = light.position - point;
    float distanceSquared = dot(toLight, toLight) + 0.25;
    float attenuation = light.brightness / (1.0 + distanceSquared);
    float facing = max(dot(normal, toLight) * inversesqrt(distanceSquared), 0.0);
    return light.color * (attenuation * facing);
}

void main()
{
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 3; i++) {
        PointLight light;
        light.position = lightPosition[i];
        light.brightness = lightBrightness[i];
        light.color = lightColor[i];
        sum += shade(light, inPosition, inNormal);
    }
    color = vec4(sum, 1.0);
    gl_Position = mvp * vec4(inPosition, 1.0);
}
