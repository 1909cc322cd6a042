#version 300 es
// An object turned by a quaternion uniform: v + 2 q x (q x v + w v).
precision highp float;
in vec3 inPosition;
in vec3 inNormal;
uniform vec4 rotation;
uniform vec4 translationScale;
uniform mat4 viewProjection;
out vec4 color;
out vec4 normalquat;

vec3 rotate(vec4 q, vec3 v)
{
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

vec4 multiply(vec4 a, vec4 b)
{
    return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

void main()
{
    vec4 q = rotation * inversesqrt(dot(rotation, rotation) + 0.25);
    vec3 p = rotate(q, inPosition) * translationScale.w + translationScale.xyz;
    vec3 n = rotate(q, inNormal);
    normalquat = multiply(q, vec4(0.0, 0.0, 0.5, 0.75));
    color = vec4(n * 0.0625 + 0.5, 1.0);
    gl_Position = viewProjection * vec4(p, 1.0);
}
