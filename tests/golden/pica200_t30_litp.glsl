#version 450
// pica200_t30_litp.shbin#0: vertex program, pica200
// Assumed: no operand of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0) uniform Uniforms {
    vec4 cc[4];
};

layout(location = 0) in vec4 a;

layout(location = 1) out vec4 color;

void main() {
    vec2 position = max(a.xw, 0.0);
    gl_Position = vec4(position.x, clamp(a.y, -127.99609, 127.99609), 0.0, position.y);
    color = vec4(mix(cc[0].xx, cc[0].yy, greaterThanEqual(a.xw, vec2(0.0))), cc[0].xx);
}
