#version 330
#include "transform.glsl"
#ifdef VERTEX
in vec3 p;
out vec4 color;
void main()
{
    color = vec4(SHADE);
    gl_Position = transformed(p);
}
#endif
#ifdef FRAGMENT
out vec4 f;
void main() { f = vec4(1.0); }
#endif
