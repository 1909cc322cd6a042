#version 450
// Written out where it is called the function would need more code than the machine holds.
in vec4 inPosition;
in vec3 inNormal;

struct Lamp {
    vec4 position;
    vec4 colour;
    vec4 cone;
};

uniform mat4 view;
uniform mat4 projection;
uniform Lamp lamps[9];
uniform bool rims;
out vec4 color;
out vec2 texcoord0;

vec3 total = vec3(0.0);

float falloff(float distance, vec4 cone)
{
    float near = clamp(1.0 - distance * cone.x * 0.25, 0.0, 1.0);
    return near * near * (3.0 - 2.0 * near);
}

// Adds the light of a lamp to the total; what is left of the shine.
float shine(vec3 at, vec3 normal, vec4 position, vec4 colour, vec4 cone)
{
    vec3 way = position.xyz - at;
    float far = length(way) + 0.5;
    vec3 towards = way / far;
    float facing = max(dot(normal, towards), 0.0);
    vec3 middle = normalize(towards + vec3(0.0, 0.25, 2.0));
    float glance = max(dot(normal, middle), 0.0);
    float bright = glance * glance;
    bright = bright * bright;
    float reach = falloff(far, cone) + falloff(far * 0.5, cone.yzwx);
    vec3 tint = mix(colour.rgb, vec3(dot(colour.rgb, vec3(0.25, 0.5, 0.25))), cone.w * 0.25);
    if (facing < 0.125) {
        tint = tint * 0.5 + abs(cone.xyz) * 0.125;
    } else {
        tint += bright * colour.a;
    }
    total += tint * facing * reach;
    if (rims) {
        float edge = 1.0 - abs(normal.z);
        total += colour.rgb * edge * edge * 0.25;
    }
    return reach * bright + fract(far * 0.5) * 0.0625;
}

void main()
{
    vec3 at = (view * inPosition).xyz;
    vec3 normal = normalize((view * vec4(inNormal, 0.0)).xyz + vec3(0.0, 0.0, 0.125));
    float sum = 0.0;
    sum += shine(at, normal, lamps[0].position, lamps[0].colour, lamps[0].cone);
    sum += shine(at, normal, lamps[1].position, lamps[1].colour, lamps[1].cone);
    sum += shine(at, normal, lamps[2].position, lamps[2].colour, lamps[2].cone);
    sum += shine(at, normal, lamps[3].position, lamps[3].colour, lamps[3].cone);
    sum += shine(at, normal, lamps[4].position, lamps[4].colour, lamps[4].cone);
    sum += shine(at, normal, lamps[5].position, lamps[5].colour, lamps[5].cone);
    sum += shine(at, normal, lamps[6].position, lamps[6].colour, lamps[6].cone);
    sum += shine(at, normal, lamps[7].position, lamps[7].colour, lamps[7].cone);
    sum += shine(at, normal, lamps[8].position, lamps[8].colour, lamps[8].cone);
    sum += shine(at.yzx, normal, lamps[0].position * 0.5, lamps[0].colour, lamps[0].cone);
    sum += shine(at.yzx, normal, lamps[1].position * 0.5, lamps[1].colour, lamps[1].cone);
    sum += shine(at.yzx, normal, lamps[2].position * 0.5, lamps[2].colour, lamps[2].cone);
    gl_Position = projection * vec4(at, 1.0);
    color = vec4(total * 0.25, sum);
    texcoord0 = total.xy + sum;
}
