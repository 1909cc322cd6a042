#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; vectors
// that are normalized are not zero.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    mat4x3 normalMatrix;
    vec4 lightDirection;
    vec4 lightColor;
    vec4 ambient;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;

void main() {
    vec3 normal = mat3(normalMatrix) * inNormal.xyz;
    color = vec4(
        ambient.xyz
            + lightColor.xyz
                * max(0.0, dot(lightDirection.xyz, normalize(vec3(normal.xy, normal.z + 16.0)))),
        1.0
    );
    gl_Position = mvp * vec4(inPosition.xyz, 1.0);
}
