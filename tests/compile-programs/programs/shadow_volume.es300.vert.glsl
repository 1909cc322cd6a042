#version 300 es
// Shadow volume extrusion: faces turned away from the light are moved along the light's ray.
precision highp float;
in vec3 inPosition;
in vec3 inNormal;
uniform mat4 modelViewProjection;
uniform vec3 lightPosition;
uniform float extrusion;
out vec4 color;

void main()
{
    vec3 ray = inPosition - lightPosition;
    float away = step(0.015, dot(inNormal, ray));
    vec4 p = vec4(inPosition + ray * (extrusion * away), 1.0);
    gl_Position = modelViewProjection * p;
    color = vec4(away, 0.0, 0.0, 1.0);
}
