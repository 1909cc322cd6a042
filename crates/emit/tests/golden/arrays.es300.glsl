#version 300 es
// example.shbin #0, for PICA200

layout(std140) uniform Uniforms {
    vec4 bones[12];
    vec2 pairs[2];
};

layout(location = 0) in vec4 channel_0;
layout(location = 1) in vec4 channel_1;

out vec3 layers[2];

uint r8[8];
vec4 channel[2];

void main() {
    layers[0] = vec3(0.0);
    layers[1] = vec3(0.0);
    for (int i = 0; i < 8; i++) {
        r8[i] = 0u;
    }
    channel[0] = channel_0;
    channel[1] = channel_1;
    int index = int(channel[0].x);
    r8[index] = floatBitsToUint(channel[index].y);
    float old = uintBitsToFloat(r8[index + 1]);
    layers[index].xy = pairs[1];
    gl_Position = bones[index + 3] * (old + pairs[index].y);
}
