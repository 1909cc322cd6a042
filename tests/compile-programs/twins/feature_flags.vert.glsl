#version 450
// The GLSL twin of programs/feature_flags.wgsl, for the oracle.
in vec4 in_position;
in vec4 in_color;
uniform mat4 mvp;
uniform uint use_fog;
uniform uint use_tint;
uniform vec4 fog_color;
uniform vec4 tint;
out vec4 color;
void main()
{
    gl_Position = mvp * in_position;
    color = in_color;
    if (use_tint != 0u) color *= tint;
    if (use_fog != 0u) color = mix(color, fog_color, clamp(gl_Position.w * 0.03125, 0.0, 1.0));
    else color.a = 1.0;
}
