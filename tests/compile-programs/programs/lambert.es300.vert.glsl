#version 300 es
// One directional light with an ambient term.
precision highp float;
layout(location = 0) in vec3 inPosition;
layout(location = 1) in vec3 inNormal;

uniform mat4 mvp;
uniform mat3 normalMatrix;
uniform vec3 lightDirection;
uniform vec4 lightColor;
uniform vec4 ambient;

out vec4 color;

void main()
{
    vec3 n = normalize(normalMatrix * inNormal + vec3(0.0, 0.0, 16.0));
    float diffuse = max(dot(n, lightDirection), 0.0);
    color = ambient + diffuse * lightColor;
    color.a = 1.0;
    gl_Position = mvp * vec4(inPosition, 1.0);
}
