#version 450
// example.shbin #0, for PICA200

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 whole;
    mat4x3 affine;
    mat4x2 texture0;
    mat2 small;
    vec4 bones[6];
};

layout(location = 0) in vec4 place;
layout(location = 1) in mat3x4 instance;

layout(location = 1) out vec4 color;
layout(location = 2) out vec2 texcoord0;

const mat3x2 turned = mat3x2(
    vec2(1.0, 1.0),
    vec2(1.0, 1.0),
    vec2(1.0, 1.0)
);

void main() {
    vec4 clip = whole * (whole * place);
    vec3 view = affine * place + mat3(affine) * place.xyz;
    vec3 other = (whole * place).xyz * (mat3(whole) * place.xyz);
    vec2 pair = texture0 * place + (whole * place).zw;
    pair += small * place.xy;
    pair += turned * place.xyz;
    pair += (mat3x4(whole) * place.xyz).yz;
    view = vec4(view, 1.0) * mat3x4(bones[3], bones[4], bones[5]);
    view = vec4(view, 1.0) * instance;
    view += place.xyz * mat3(bones[0].xyz, bones[1].xyz, bones[2].xyz);
    other = transpose(whole)[3].xyz * instance[1].xyz;
    float depth = dot(transpose(whole)[2], place);
    gl_Position = clip;
    color = vec4(view + other, depth);
    texcoord0 = pair;
}
