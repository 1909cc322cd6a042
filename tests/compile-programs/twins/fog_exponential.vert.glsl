#version 450
// The GLSL twin of programs/fog_exponential.wgsl, for the oracle.
in vec4 in_position;
in vec4 in_color;
uniform mat4 model_view;
uniform mat4 projection;
uniform vec3 fog_color;
uniform float density;
out vec4 color;
void main()
{
    vec4 eye = model_view * in_position;
    float fog = exp(-length(eye.xyz) * density);
    gl_Position = projection * eye;
    color = vec4(mix(fog_color, in_color.rgb, fog), in_color.a);
}
