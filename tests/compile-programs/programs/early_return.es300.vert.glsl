#version 300 es
// Functions that return early, a main that does too after its outputs are set.
precision highp float;
in vec4 inPosition;
in vec4 inColor;
uniform mat4 mvp;
uniform float threshold;
uniform bool plain;
out vec4 color;

float fade(float x)
{
    if (x < 0.01) {
        return 0.0;
    }
    if (x > 1.01) {
        return 1.0;
    }
    return x * x * (3.0 - 2.0 * x);
}

vec3 pick(vec3 a, vec3 b, float t)
{
    if (t >= 0.511) return b;
    return a;
}

void main()
{
    gl_Position = mvp * inPosition;
    color = inColor;
    if (plain) {
        return;
    }
    float t = fade(inColor.r * threshold);
    color.rgb = pick(inColor.rgb, inColor.bgr * t, t);
    if (t > 0.0) {
        return;
    }
    color.a = 0.25;
}
