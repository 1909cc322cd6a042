#version 450
// The GLSL twin of programs/cylinder_wrap.wgsl, for the oracle.
in vec2 in_sheet;
in vec2 in_direction;
uniform mat4 mvp;
uniform vec4 cylinder;
out vec2 texcoord0;
out vec4 color;
void main()
{
    float angle = in_sheet.x * 0.5 + cylinder.z;
    float radius = 2.0 + abs(cylinder.x);
    gl_Position = mvp * vec4(radius * cos(angle), in_sheet.y * cylinder.y, radius * sin(angle), 1.0);
    texcoord0 = vec2(atan(in_direction.y, in_direction.x) / 6.2831853, in_sheet.y * 0.25);
    color = vec4(cos(angle) * 0.5 + 0.5, sin(angle) * 0.5 + 0.5, 0.0, 1.0);
}
