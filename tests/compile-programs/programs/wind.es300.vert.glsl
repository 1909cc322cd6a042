#version 300 es
// Grass that sways: the offset grows with the height above the root, clamped at the ground.
// range: time 0 8
precision highp float;
in vec3 inPosition;
in vec2 inTexcoord;
in float inStiffness;
uniform mat4 mvp;
uniform vec3 wind;          // direction x and z, strength
uniform float time;
out vec2 texcoord0;
out vec4 color;

float sway(float phase)
{
    return sin(phase) + 0.5 * sin(phase * 2.0 + 1.0);
}

void main()
{
    float height = max(inPosition.y, 0.0);
    float bend = sway(time + inPosition.x * 0.5) * wind.z * height * height * 0.0625;
    bend *= 1.0 - clamp(inStiffness, 0.0, 1.0);
    vec3 moved = inPosition;
    moved.xz += wind.xy * bend;
    gl_Position = mvp * vec4(moved, 1.0);
    texcoord0 = inTexcoord;
    color = vec4(vec3(0.5 + 0.125 * height), 1.0);
}
