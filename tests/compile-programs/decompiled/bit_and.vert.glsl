#version 450
// Assumed: no product of zero with an infinity or NaN is formed.

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inFlags;

layout(location = 0) out vec4 color;

void main() {
    float difference = floor(max(0.0, inFlags.x)) - floor(max(0.0, -inFlags.x));
    difference += -floor(difference * 0.5) * 2.0;
    color = vec4(float(difference < 0.0) + float(difference > 0.0));
    gl_Position = inPosition;
}
