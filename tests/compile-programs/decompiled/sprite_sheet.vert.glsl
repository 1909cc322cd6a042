#version 450
// Assumed: no product of zero with an infinity or NaN is formed.

layout(std140, binding = 0) uniform Uniforms {
    vec4 screen;
};

layout(location = 0) in vec4 in_corner;
layout(location = 1) in vec4 in_position;
layout(location = 2) in vec4 in_cell;
layout(location = 3) in vec4 in_color;

layout(location = 1) out vec4 color;
layout(location = 2) out vec2 texcoord0;

void main() {
    float whole = floor((in_cell.x + 0.5) * 0.125);
    gl_Position = vec4(screen.zw + screen.xy * (in_corner.xy + in_position.xy), 0.5, 1.0);
    color = in_color;
    texcoord0 = (vec2(-whole * 8.0 + in_cell.x, whole) + in_corner.xy) * 0.125;
}
