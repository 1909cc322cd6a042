#version 450
// example.shbin #0, for PICA200

layout(location = 0) in vec4 color;

layout(location = 0) out vec4 target;

void main() {
    if (color.w < 0.5) {
        discard;
    }
    target = color;
}
