#version 450
// t11: every output that has a meaning.
in vec4 p;
in vec4 t;
uniform vec4 u;
out vec4 position;
out vec4 normalquat;
out vec3 color;
out vec2 texcoord0;
out float texcoord0w;
out vec2 texcoord1;
out vec2 texcoord2;
out vec3 view;

void main()
{
    position = p;
    normalquat = u;
    color = u.wzy;
    texcoord0 = t.xy;
    texcoord0w = t.z;
    texcoord1 = t.xy;
    texcoord2 = t.xy;
    view = p.xyz;
}
