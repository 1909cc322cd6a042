#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; square
// roots are taken of positive numbers; vectors that are normalized are not zero.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 modelView;
    mat4 projection;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec2 texcoord0;
layout(location = 1) out vec4 color;

void main() {
    vec4 viewPosition = modelView * vec4(inPosition.xyz, 1.0);
    vec3 direction = normalize(vec3(viewPosition.xy, viewPosition.z - 24.0));
    vec3 colorValue = normalize(inNormal.xyz);
    direction += -colorValue * (dot(direction, colorValue) * 2.0);
    texcoord0 = direction.xy / (length(vec3(direction.xy, direction.z + 3.0)) * 2.0) + 0.5;
    color = vec4(colorValue, 1.0);
    gl_Position = projection * viewPosition;
}
