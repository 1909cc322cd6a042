#version 450
// Exponential-squared fog: the factor goes into the alpha of the colour.
// range: fogDensity 0 0.5
in vec4 inPosition;
in vec4 inColor;
uniform mat4 modelView;
uniform mat4 projection;
uniform float fogDensity;
uniform vec3 fogColor;
out vec4 color;

void main()
{
    vec4 eye = modelView * inPosition;
    float depth = length(eye.xyz) * fogDensity;
    float fog = exp2(-depth * depth * 0.0625);
    color.rgb = mix(fogColor, inColor.rgb, fog);
    color.a = fog;
    gl_Position = projection * eye;
}
