#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; vectors
// that are normalized are not zero; no operand of mod, sign or step is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 lightPosition;
    vec4 eyePosition;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;
layout(location = 2) in vec4 inTangent;

layout(location = 0) out vec4 color;
layout(location = 1) out vec3 view;

void main() {
    vec3 tangent = normalize(inTangent.xyz);
    vec3 scaled = cross(tangent.xzy, inNormal.xzy).xzy * sign(inTangent.w - 1.0);
    vec3 offset = lightPosition.xyz - inPosition.xyz;
    vec3 offset2 = eyePosition.xyz - inPosition.xyz;
    color = vec4(
        vec3(dot(tangent, offset), dot(scaled, offset), dot(inNormal.xyz, offset)) * 0.03125 + 0.5,
        1.0
    );
    view = vec3(dot(tangent, offset2), dot(scaled, offset2), dot(inNormal.xyz, offset2));
    gl_Position = mvp * vec4(inPosition.xyz, 1.0);
}
