#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; vectors
// that are normalized are not zero; powers are taken of positive numbers.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 lightDirection;
    vec4 eyeDirection;
    vec4 shininess;
    vec4 specularColor;
    vec4 diffuseColor;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;

void main() {
    vec3 normal = normalize(inNormal.xyz);
    vec3 direction = normalize(vec3(lightDirection.xy, lightDirection.z + 6.0));
    color = max(0.0, dot(normal, direction)) * diffuseColor
        + specularColor
            * pow(
                max(
                    0.0625,
                    dot(
                        normal,
                        normalize(direction
                            + normalize(vec3(eyeDirection.xy, eyeDirection.z + 6.0)))
                    )
                ),
                shininess.x
            );
    gl_Position = mvp * vec4(inPosition.xyz, 1.0);
}
