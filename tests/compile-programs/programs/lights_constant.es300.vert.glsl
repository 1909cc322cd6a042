#version 300 es
// Four lights in a loop of constant length, with wrapped diffuse.
precision highp float;
in vec3 inPosition;
in vec3 inNormal;
uniform mat4 mvp;
uniform vec3 direction[4];
uniform vec3 diffuse[4];
out vec4 color;

const int LIGHTS = 4;

void main()
{
    vec3 total = vec3(0.0625);
    for (int i = 0; i < LIGHTS; ++i) {
        float wrap = dot(inNormal, direction[i]) * 0.5 + 0.5;
        total += diffuse[i] * clamp(wrap, 0.0, 1.0);
    }
    color = vec4(total, 1.0);
    gl_Position = mvp * vec4(inPosition, 1.0);
}
