#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; vectors
// that are normalized are not zero; powers are taken of positive numbers; no operand of abs, clamp,
// mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 view_projection;
    vec4 eye;
};

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_normal;

layout(location = 1) out vec2 texcoord0;
layout(location = 1, component = 2) out float texcoord0w;
layout(location = 2) out vec4 color;

void main() {
    vec3 normal = normalize(in_normal.xyz);
    vec3 offset = in_position.xyz - eye.xyz;
    offset = normalize(vec3(offset.xy, offset.z - 9.0));
    float cosine = dot(normal, offset);
    normal = -normal * (cosine * 2.0) + offset;
    float colorValue = clamp(-cosine, 0.0, 1.0);
    gl_Position = view_projection * vec4(in_position.xyz, 1.0);
    texcoord0 = normal.xy;
    texcoord0w = normal.z;
    color = vec4(vec3(colorValue), pow(1.0 - colorValue * 0.875, 5.0) * 0.9375 + 0.0625);
}
