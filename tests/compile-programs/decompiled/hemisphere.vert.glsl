#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand
// of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 sky;
    vec4 ground;
    vec4 sun_direction;
    vec4 sun_color;
};

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_normal;

layout(location = 1) out vec4 color;

void main() {
    gl_Position = mvp * in_position;
    color = vec4(
        max(0.0, dot(sun_direction.xyz, in_normal.xyz)) * sun_color.xyz
            + mix(ground.xyz, sky.xyz, vec3(clamp(in_normal.y * 0.5 + 0.5, 0.0, 1.0))),
        1.0
    );
}
