#version 450
// A number of directional lights given by an integer uniform.
// range: lightCount 0 8 integer
in vec4 inPosition;
in vec3 inNormal;

uniform mat4 mvp;
uniform int lightCount;
uniform vec4 lightDirections[8];
uniform vec4 lightColors[8];
uniform vec4 ambient;

out vec4 color;

void main()
{
    vec4 sum = ambient;
    for (int i = 0; i < lightCount; i++) {
        float lit = max(dot(lightDirections[i].xyz, inNormal), 0.0);
        sum += lightColors[i] * lit;
    }
    color = sum;
    gl_Position = mvp * inPosition;
}
