#version 450
// lighting.shbin#0: vertex program, pica200
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared; vectors that are normalized are not zero; a
// dynamic index stays inside of the array it starts in.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 projection;
    mat4 modelView;
    vec4 textureMatrix[3];
    vec4 lightDirection[4];
    vec4 lightColor[4];
    vec4 ambient;
    ivec4 lights;
    bool moveTexture;
};

layout(location = 0) in vec4 position;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 texcoord;
layout(location = 3) in vec4 color;

layout(location = 1) out vec4 color_2;
layout(location = 2) out vec4 texcoord0;

void main() {
    vec3 normalValue = normalize(mat3(modelView) * normal.xyz);
    vec3 sum = ambient.xyz;
    int index = lights.y;
    for (int i = 0; i <= lights.x; i++) {
        sum += max(0.0, dot(lightDirection[index].xyz, normalValue)) * lightColor[index].xyz;
        index += lights.z;
    }
    vec2 projectionValue;
    if (moveTexture) {
        vec3 texcoordValue = vec3(texcoord.xy, 1.0);
        projectionValue = vec2(
            dot(textureMatrix[0].xyz, texcoordValue),
            dot(textureMatrix[1].xyz, texcoordValue)
        );
    } else {
        projectionValue = texcoord.xy;
    }
    gl_Position = projection * vec4((modelView * vec4(position.xyz, 1.0)).xyz, 1.0);
    color_2 = color * vec4(min(sum, 1.0), ambient.w);
    texcoord0 = vec4(projectionValue, 0.0, 0.0);
}
