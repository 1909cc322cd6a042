#version 450
// Assumed: no product of zero with an infinity or NaN is formed; no operand of abs, clamp, mix or
// fract is NaN or infinite.

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNumbers;

layout(location = 0) out vec4 color;

void main() {
    float differenceX = floor(max(0.0, inNumbers.x)) - floor(max(0.0, -inNumbers.x));
    float differenceY = floor(max(0.0, inNumbers.y)) - floor(max(0.0, -inNumbers.y));
    float reciprocal = abs(0.5 / differenceY);
    color = vec4(floor(max(0.0, differenceX / differenceY + reciprocal))
        - floor(max(0.0, -differenceX / differenceY + reciprocal)));
    gl_Position = inPosition;
}
