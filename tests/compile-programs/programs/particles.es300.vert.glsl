#version 300 es
// Stateless particles: position from birth time, velocity and gravity; dead ones collapse to a point.
// range: inBirth 0 2
// range: time 0 4
precision highp float;
in vec3 inVelocity;
in vec2 inCorner;
in float inBirth;
uniform mat4 mvp;
uniform vec3 emitter;
uniform float time;
uniform float lifetime;
uniform vec4 startColor;
uniform vec4 endColor;
out vec4 color;
out vec2 texcoord0;

// range: lifetime 1 3

void main()
{
    float age = time - inBirth;
    float t = age / lifetime;
    vec3 p = emitter + inVelocity * age + vec3(0.0, -0.49, 0.0) * age * age;
    float size = 0.5;
    if (age < 0.0 || t > 1.0) {
        size = 0.0;
        p = emitter;
        t = 0.0;
    }
    p.xy += inCorner * size;
    gl_Position = mvp * vec4(p, 1.0);
    color = mix(startColor, endColor, t);
    texcoord0 = inCorner;
}
