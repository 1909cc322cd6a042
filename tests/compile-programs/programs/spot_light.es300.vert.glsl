#version 300 es
// A spot light with a soft cone edge (smoothstep) and a specular-free falloff.
precision highp float;
in vec3 inPosition;
in vec3 inNormal;
uniform mat4 mvp;
uniform vec3 spotPosition;
uniform vec3 spotDirection;
uniform vec2 coneCosines;
uniform vec3 spotColor;
out vec4 color;

// range: coneCosines 0 1

void main()
{
    vec3 toVertex = inPosition - (spotPosition + vec3(0.0, 8.0, 0.0));
    vec3 ray = normalize(toVertex);
    vec3 axis = normalize(spotDirection + vec3(0.0, -4.0, 0.0));
    float cosine = dot(ray, axis);
    float inner = 0.5 + 0.25 * coneCosines.x + 0.25;
    float outer = 0.25 * coneCosines.y;
    float cone = smoothstep(outer, inner, cosine);
    float facing = max(-dot(inNormal, ray), 0.0);
    color = vec4(spotColor * (cone * facing), 1.0);
    gl_Position = mvp * vec4(inPosition, 1.0);
}
