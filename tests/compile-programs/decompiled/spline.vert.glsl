#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared; no operand of abs, clamp, mix or fract is NaN or
// infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 points[16];
    mat4 mvp;
};

layout(location = 0) in vec4 segment;
layout(location = 1) in vec4 along;
layout(location = 2) in vec4 inOffset;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    float squared = along.x * along.x;
    int index = int(segment.x);
    vec3 point = points[index + 1].xyz;
    vec3 point2 = points[index].xyz;
    vec3 point3 = points[index + 2].xyz;
    vec3 point4 = points[index + 3].xyz;
    vec3 sum = squared * along.x * (point4 + (point * 3.0 - point2 - point3 * 3.0))
        + (squared * (point2 * 2.0 - point * 5.0 + point3 * 4.0 - point4)
            + ((point3 - point2) * along.x + point * 2.0));
    sum *= 0.5;
    color = vec4(along.x, 1.0 - along.x, 0.5, 1.0);
    texcoord0 = vec2((segment.x + along.x) * 0.0625, inOffset.y);
    gl_Position = mvp * vec4(
        mix(points[index + 1].w, points[index + 2].w, along.x) * inOffset.xy + sum.xy,
        sum.z,
        1.0
    );
}
