#version 460
// Bones in a buffer, weighed, and matrices in front of what they make of a position.
// has: transform2 * (transform * sum2)
// has: attribute2.x * buffer0[indexX * 4]
layout(std140, binding = 0) uniform Scene {
    mat4 view;
    mat4 projection;
    mat4 bones[8];
};
layout(std430, binding = 0) readonly buffer Bones {
    mat4 moved[];
};
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 bone;
layout(location = 2) in vec4 weight;

void main() {
    ivec4 number = ivec4(bone) & 3;
    mat4 skin = weight.x * moved[number.x] + weight.y * moved[number.y]
        + weight.z * moved[number.z] + weight.w * moved[number.w];
    gl_Position = projection * view * skin * vec4(position, 1.0);
}
