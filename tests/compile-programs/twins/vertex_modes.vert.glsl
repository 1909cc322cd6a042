#version 450
// The GLSL twin of programs/vertex_modes.wgsl, for the oracle.
in vec4 in_position;
in vec4 in_color;
in float in_mode;
uniform mat4 mvp;
uniform vec4 fill;
out vec4 color;
void main()
{
    color = vec4(1.0, 0.0, 1.0, 1.0);
    if (in_mode == 0.0) color = in_color;
    if (in_mode == 1.0) color = in_color * fill;
    if (in_mode == 2.0) color = vec4(in_color.rgb * fill.rgb, 1.0);
    if (in_mode == 3.0) color = fill;
    gl_Position = mvp * in_position;
}
