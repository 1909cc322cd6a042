#version 450
// Linear blend skinning with four bones: three uniform rows a bone, found by relative addressing.
// range: boneIndices 0 17 integer
// range: boneWeights 0 1
in vec3 inPosition;
in vec3 inNormal;
in vec4 boneIndices;
in vec4 boneWeights;

uniform vec4 boneRows[54];
uniform mat4 viewProjection;

out vec4 color;

vec3 boneTransform(int bone, vec4 point)
{
    return vec3(dot(boneRows[bone * 3], point),
                dot(boneRows[bone * 3 + 1], point),
                dot(boneRows[bone * 3 + 2], point));
}

void main()
{
    vec4 point = vec4(inPosition, 1.0);
    vec4 direction = vec4(inNormal, 0.0);
    vec3 skinned = boneTransform(int(boneIndices.x), point) * boneWeights.x;
    skinned += boneTransform(int(boneIndices.y), point) * boneWeights.y;
    skinned += boneTransform(int(boneIndices.z), point) * boneWeights.z;
    skinned += boneTransform(int(boneIndices.w), point) * boneWeights.w;
    vec3 normal = boneTransform(int(boneIndices.x), direction);

    gl_Position = viewProjection * vec4(skinned, 1.0);
    color = vec4(0.5 + 0.25 * normal, boneWeights.x);
}
