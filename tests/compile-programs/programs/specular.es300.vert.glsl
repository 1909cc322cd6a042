#version 300 es
// Blinn-Phong with a specular exponent from a uniform (pow), normal and half vector normalised.
// range: shininess 1 16
// range: inNormal 0.125 1
precision highp float;
in vec3 inPosition;
in vec3 inNormal;
uniform mat4 mvp;
uniform vec3 lightDirection;
uniform vec3 eyeDirection;
uniform float shininess;
uniform vec4 specularColor;
uniform vec4 diffuseColor;
out vec4 color;

void main()
{
    vec3 n = normalize(inNormal);
    vec3 l = normalize(lightDirection + vec3(0.0, 0.0, 6.0));
    vec3 h = normalize(l + normalize(eyeDirection + vec3(0.0, 0.0, 6.0)));
    float diffuse = max(dot(n, l), 0.0);
    float specular = pow(max(dot(n, h), 0.0625), shininess);
    color = diffuseColor * diffuse + specularColor * specular;
    gl_Position = mvp * vec4(inPosition, 1.0);
}
