#version 450
// example.shbin #0, for PICA200
// Assumed: all inputs are finite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 projection;
    mat4x3 modelView;
    vec3 lightDirection;
    vec4 tint;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec3 inNormal;
layout(location = 2) in vec2 inTexcoord;

layout(location = 1) out vec4 color;
layout(location = 2) out vec2 texcoord0;

void main() {
    vec4 viewPosition = vec4(modelView * inPosition, 1.0);
    gl_Position = projection * viewPosition;
    vec3 normal = normalize(mat3(modelView) * inNormal);
    float lambert = max(dot(normal, -lightDirection), 0.0);
    color = tint * vec4(vec3(lambert), 1.0);
    texcoord0 = inTexcoord;
}
