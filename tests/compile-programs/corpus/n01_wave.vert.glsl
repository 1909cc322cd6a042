#version 450
// n01: a matrix, and a texture coordinate from the position times a wave vector.
layout(location = 0) in vec4 inpos;
layout(location = 1) in vec4 incol;
uniform mat4 mvp;
uniform vec4 wave;
out vec4 color;
out vec2 texcoord0;
const vec4 half_ = vec4(0.5, 0.25, 1.0, 2.0);

void main()
{
    texcoord0 = wave.xy * inpos.xy + half_.xy;
    gl_Position = inpos * mvp;      // the assembly's c0-c3 are rows
    color = incol;
}
