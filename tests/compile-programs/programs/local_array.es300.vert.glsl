#version 300 es
// A local array filled and smoothed in loops of constant length, then read at constant places.
precision highp float;
in vec4 inPosition;
in vec4 inSamples;
uniform mat4 mvp;
uniform float amount;
out vec4 color;

void main()
{
    float samples[6];
    samples[0] = inSamples.x;
    for (int i = 0; i < 4; i++) {
        samples[i + 1] = inSamples[i];
    }
    samples[5] = inSamples.w;
    vec4 smoothed;
    for (int i = 0; i < 4; i++) {
        smoothed[i] = mix(samples[i + 1], (samples[i] + samples[i + 2]) * 0.5, amount * 0.25 + 0.5);
    }
    color = smoothed;
    gl_Position = mvp * inPosition;
}
