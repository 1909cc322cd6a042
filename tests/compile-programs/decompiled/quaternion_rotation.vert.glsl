#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 rotation;
    vec4 translationScale;
    mat4 viewProjection;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;
layout(location = 1) out vec4 normalquat;

void main() {
    vec4 scaled = rotation * inversesqrt(dot(rotation, rotation) + 0.25);
    color = vec4(
        (cross(scaled.xyz, scaled.w * inNormal.xyz + cross(scaled.xyz, inNormal.xyz)) * 2.0
            + inNormal.xyz)
            * 0.0625
            + 0.5,
        1.0
    );
    normalquat = vec4(
        vec3(scaled.y, -scaled.x, scaled.w) * 0.5 + scaled.xyz * 0.75,
        scaled.w * 0.75 - scaled.z * 0.5
    );
    gl_Position = viewProjection * vec4(
        translationScale.xyz
            + translationScale.w
                * (cross(scaled.xyz, scaled.w * inPosition.xyz + cross(scaled.xyz, inPosition.xyz))
                    * 2.0
                    + inPosition.xyz),
        1.0
    );
}
