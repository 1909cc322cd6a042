#version 450
// The GLSL twin of programs/transform.wgsl, for the oracle.
in vec3 position;
in vec2 uv;
in vec4 tint;
uniform mat4 mvp;
out vec4 color;
out vec2 texcoord0;
void main()
{
    gl_Position = mvp * vec4(position, 1.0);
    color = tint;
    texcoord0 = uv;
}
