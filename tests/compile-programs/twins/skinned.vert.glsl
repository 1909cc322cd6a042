#version 450
// The GLSL twin of programs/skinned.wgsl, for the oracle.
in vec4 position;
in vec2 joints;
in vec2 weights;
uniform mat4 joint_matrices[12];
uniform mat4 view_projection;
out vec4 color;
vec4 skin(uint joint, float weight, vec4 p)
{
    return joint_matrices[joint] * p * weight;
}
void main()
{
    vec4 posed = skin(uint(joints.x), weights.x, position) + skin(uint(joints.y), weights.y, position);
    gl_Position = view_projection * posed;
    color = vec4(weights, 0.0, 1.0);
}
