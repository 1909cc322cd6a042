#version 450
// A water surface from four summed sine waves, with the slope for the normal.
// range: time 0 4
in vec3 inPosition;
in vec2 inTexcoord;
uniform mat4 mvp;
uniform vec4 waves[4];      // direction x and z, speed, amplitude
uniform float time;
out vec4 color;
out vec2 texcoord0;

void main()
{
    float height = 0.0;
    vec2 slope = vec2(0.0);
    for (int i = 0; i < 4; i++) {
        float phase = dot(waves[i].xy, inPosition.xz) + waves[i].z * time;
        height += waves[i].w * sin(phase);
        slope += waves[i].xy * (waves[i].w * cos(phase));
    }
    gl_Position = mvp * vec4(inPosition.x, inPosition.y + height, inPosition.z, 1.0);
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    color = vec4(normal * 0.5 + 0.5, 1.0);
    texcoord0 = inTexcoord + slope * 0.0625;
}
