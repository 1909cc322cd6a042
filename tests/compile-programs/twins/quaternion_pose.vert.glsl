#version 450
// The GLSL twin of programs/quaternion_pose.wgsl, for the oracle.
in vec3 in_position;
in vec3 in_normal;
uniform vec4 rotation;
uniform vec3 translation;
uniform float scale;
uniform mat4 view_projection;
out vec4 color;
mat3 matrixOf(vec4 q)
{
    vec4 d = q + q;
    vec4 x = q.x * d, y = q.y * d, z = q.z * d, w = q.w * d;
    return mat3(1.0 - y.y - z.z, x.y + w.z, x.z - w.y,
                x.y - w.z, 1.0 - x.x - z.z, y.z + w.x,
                x.z + w.y, y.z - w.x, 1.0 - x.x - y.y);
}
void main()
{
    mat3 m = matrixOf(rotation * 0.25);
    vec3 world = m * (in_position * scale) + translation;
    gl_Position = view_projection * vec4(world, 1.0);
    color = vec4(m * in_normal * 0.5 + 0.5, 1.0);
}
