#version 450
// Light and eye vectors taken into tangent space; the bitangent comes from a cross product and a sign.
// range: inTangent 0.125 2
in vec3 inPosition;
in vec3 inNormal;
in vec4 inTangent;
uniform mat4 mvp;
uniform vec3 lightPosition;
uniform vec3 eyePosition;
out vec4 color;
out vec3 view;

void main()
{
    vec3 n = inNormal;
    vec3 t = normalize(inTangent.xyz);
    vec3 b = cross(n, t) * sign(inTangent.w - 1.0);
    mat3 toTangent = transpose(mat3(t, b, n));
    vec3 light = toTangent * (lightPosition - inPosition);
    view = toTangent * (eyePosition - inPosition);
    color = vec4(light * 0.03125 + 0.5, 1.0);
    gl_Position = mvp * vec4(inPosition, 1.0);
}
