#version 450
// The GLSL twin of programs/instance_rows.wgsl, for the oracle.
in vec3 position;
in vec4 row0;
in vec4 row1;
in vec4 row2;
uniform mat4x3 camera;
uniform mat3 turn;
uniform vec4 lens;
out vec4 color;
void main()
{
    vec4 local = vec4(position, 1.0);
    vec3 world = vec3(dot(row0, local), dot(row1, local), dot(row2, local));
    vec3 eye = turn * (camera * vec4(world, 1.0));
    gl_Position = vec4(eye.xy * lens.xy, eye.z * lens.z + lens.w, -eye.z);
    color = vec4(abs(position) * 0.25, 1.0);
}
