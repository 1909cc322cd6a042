#version 300 es
// Classic sphere mapping: reflect the eye vector and fold it into texture coordinates.
// range: inNormal 0.25 1
precision highp float;
in vec3 inPosition;
in vec3 inNormal;
uniform mat4 modelView;
uniform mat4 projection;
out vec2 texcoord0;
out vec4 color;

void main()
{
    vec4 eye = modelView * vec4(inPosition, 1.0);
    vec3 u = normalize(eye.xyz + vec3(0.0, 0.0, -24.0));
    vec3 n = normalize(inNormal);
    vec3 r = reflect(u, n);
    float m = 2.0 * length(vec3(r.xy, r.z + 3.0));
    texcoord0 = r.xy / m + 0.5;
    color = vec4(n, 1.0);
    gl_Position = projection * eye;
}
