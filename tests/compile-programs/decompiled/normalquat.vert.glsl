#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; vectors
// that are normalized are not zero.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 projection;
    mat4 modelView;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 normalquat;
layout(location = 1) out vec3 view;
layout(location = 2) out vec4 color;

void main() {
    vec4 viewPosition = modelView * vec4(inPosition.xyz, 1.0);
    float shifted = max(-0.75, inNormal.z) + 1.0;
    vec3 direction = normalize(vec3(inNormal.y, -inNormal.x, shifted));
    normalquat = vec4(
        direction.x,
        -(inversesqrt(dot(
            vec3(inNormal.y, -inNormal.x, shifted),
            vec3(inNormal.y, -inNormal.x, shifted)
        ))
            * inNormal.x),
        0.0,
        direction.z
    );
    view = -viewPosition.xyz;
    color = vec4(1.0);
    gl_Position = projection * viewPosition;
}
