#version 300 es
// Skinning with whole matrices in the array and two influences, as most tutorials write it.
// range: joints 0 15 integer
// range: weight 0 1
in vec4 inPosition;
in vec2 joints;
in float weight;
in vec2 inTexcoord;

uniform mat4 bones[16];
uniform mat4 mvp[1];

out vec2 texcoord0;
out vec4 color;

void main()
{
    int first = int(joints.x);
    int second = int(joints.y);
    mat4 blend = bones[first] * weight + bones[second] * (1.0 - weight);
    vec4 posed = blend * inPosition;
    gl_Position = mvp[0] * posed;
    texcoord0 = inTexcoord;
    color = vec4(weight, 1.0 - weight, 0.0, 1.0);
}
