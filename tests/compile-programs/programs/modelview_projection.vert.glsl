#version 450
// Two matrices in a chain, the intermediate eye position handed on as the view vector.
in vec3 position_in;
in vec2 uv;
uniform mat4 projection;
uniform mat4 modelView;
uniform vec4 tint;

out vec4 position;
out vec4 color;
out vec2 texcoord0;
out vec3 view;

void main()
{
    vec4 eye = modelView * vec4(position_in, 1.0);
    position = projection * eye;
    view = -eye.xyz;
    texcoord0 = vec2(uv.x, 1.0 - uv.y);
    color = tint;
}
