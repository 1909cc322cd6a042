#version 450
// The GLSL twin of programs/pointer_params.wgsl, for the oracle.
in vec3 in_position;
in vec4 in_color;
uniform mat4 mvp;
uniform vec4 settings;
out vec4 color;
void main()
{
    float y = in_position.y + settings.y;
    bool bounced = true;
    if (y < -1.001) y = -2.0 - y;
    else if (y > 1.001) y = 2.0 - y;
    else bounced = false;
    gl_Position = mvp * vec4(in_position.x + in_position.y * settings.x, y, in_position.z, 1.0);
    color = in_color * (bounced ? vec4(0.5, 0.5, 0.5, 1.0) : vec4(1.0));
}
