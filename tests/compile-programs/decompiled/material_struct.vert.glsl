#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand
// of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 sun_direction;
    vec4 sun_strength;
    vec4 materials[6];
};

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_normal;
layout(location = 2) in vec4 in_blend;

layout(location = 1) out vec4 color;
layout(location = 2) out vec3 view;

void main() {
    float blend = clamp(in_blend.x, 0.0, 1.0);
    float product = sun_strength.x * max(0.0, dot(sun_direction.xyz, in_normal.xyz));
    gl_Position = mvp * vec4(in_position.xyz, 1.0);
    color = mix(materials[1], materials[4], vec4(blend)) * (product * product * 0.0625)
        + (mix(materials[0], materials[3], vec4(blend)) * product + (materials[5] + materials[2]));
    view = in_normal.xyz;
}
