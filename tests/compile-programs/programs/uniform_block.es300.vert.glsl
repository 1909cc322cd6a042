#version 300 es
// Everything in std140 blocks: matrices, an array, scalars packed behind vectors.
// range: fogStart 0 1
precision highp float;
layout(std140) uniform PerFrame {
    mat4 viewMatrix;
    mat4 projectionMatrix;
    vec3 fogColor;
    float fogStart;
};
layout(std140) uniform PerObject {
    mat3x4 modelMatrix;
    vec4 tints[2];
    float blend;
} object;

in vec3 inPosition;
in vec4 inColor;
out vec4 color;

void main()
{
    vec3 world = vec4(inPosition, 1.0) * object.modelMatrix;
    vec4 eye = viewMatrix * vec4(world, 1.0);
    gl_Position = projectionMatrix * eye;
    float fog = clamp((-eye.z * 0.0625 - fogStart) * 2.0, 0.0, 1.0);
    vec4 tint = mix(object.tints[0], object.tints[1], object.blend);
    color = vec4(mix(inColor.rgb * tint.rgb, fogColor, fog), inColor.a * tint.a);
}
