#version 450
// The GLSL twin of programs/sprite_sheet.wgsl, for the oracle.
in vec2 in_corner;
in vec2 in_position;
in float in_cell;
in vec4 in_color;
uniform vec4 screen;
out vec4 color;
out vec2 texcoord0;
void main()
{
    float row = floor((in_cell + 0.5) / 8.0);
    float column = in_cell - row * 8.0;
    gl_Position = vec4((in_position + in_corner) * screen.xy + screen.zw, 0.5, 1.0);
    texcoord0 = (vec2(column, row) + in_corner) / 8.0;
    color = in_color;
}
