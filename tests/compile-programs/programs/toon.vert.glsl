#version 450
// Toon shading: the light is quantised by steps and looked up in a constant ramp.
in vec3 inPosition;
in vec3 inNormal;
uniform mat4 mvp;
uniform vec3 lightDirection;
uniform vec4 baseColor;
out vec4 color;
out vec2 texcoord0;

const float ramp[4] = float[](0.25, 0.5, 0.8125, 1.0);

void main()
{
    float lit = dot(inNormal, lightDirection);
    int level = int(step(0.03, lit) + step(1.03, lit) + step(3.03, lit));
    color = vec4(baseColor.rgb * ramp[level], baseColor.a);
    texcoord0 = vec2(ramp[level], 0.5);
    gl_Position = mvp * vec4(inPosition, 1.0);
}
