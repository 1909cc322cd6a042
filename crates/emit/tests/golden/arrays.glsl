#version 450
// example.shbin #0, for PICA200

layout(std140, binding = 0) uniform Uniforms {
    vec4 bones[12];
    vec2 pairs[2];
};

layout(location = 0) in vec4 channel[2];

layout(location = 1) out vec3 layers[2];

float r8[8];

void main() {
    layers[0] = vec3(0.0);
    layers[1] = vec3(0.0);
    for (int i = 0; i < 8; i++) {
        r8[i] = 0.0;
    }
    int index = int(channel[0].x);
    r8[index] = channel[index].y;
    float old = r8[index + 1];
    layers[index].xy = pairs[1];
    gl_Position = bones[index + 3] * (old + pairs[index].y);
}
