#version 450
// Assumed: no product of zero with an infinity or NaN is formed.

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inFlags;

layout(location = 0) out vec4 color;

void main() {
    color = vec4(floor((floor(max(0.0, inFlags.x)) - floor(max(0.0, -inFlags.x))) * 0.25));
    gl_Position = inPosition;
}
