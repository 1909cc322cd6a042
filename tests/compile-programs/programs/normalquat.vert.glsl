#version 450
// The quaternion that turns +Z to the vertex normal: what the console's fragment lighting wants.
// range: inNormal -1 1
in vec3 inPosition;
in vec3 inNormal;
uniform mat4 projection;
uniform mat4 modelView;
out vec4 normalquat;
out vec3 view;
out vec4 color;

vec4 quaternionFromNormal(vec3 n)
{
    // half-way construction: (n.y, -n.x, 0, 1 + n.z), normalised; the pole at -Z is nudged away
    vec4 q = vec4(n.y, -n.x, 0.0, 1.0 + max(n.z, -0.75));
    return q * inversesqrt(dot(q, q));
}

void main()
{
    vec4 eye = modelView * vec4(inPosition, 1.0);
    view = -eye.xyz;
    normalquat = quaternionFromNormal(inNormal);
    color = vec4(1.0);
    gl_Position = projection * eye;
}
