#version 300 es
// A bicubic Bezier patch: Bernstein weights, nested loops of constant length over a flat array.
// range: inParameter 0 1
precision highp float;
in vec2 inParameter;
uniform vec3 control[16];
uniform mat4 mvp;
out vec4 color;
out vec2 texcoord0;

vec4 bernstein(float t)
{
    float s = 1.0 - t;
    return vec4(s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t);
}

void main()
{
    vec4 u = bernstein(inParameter.x);
    vec4 v = bernstein(inParameter.y);
    vec3 p = vec3(0.0);
    for (int row = 0; row < 4; row++) {
        vec3 along = vec3(0.0);
        for (int column = 0; column < 4; column++) {
            along += control[row * 4 + column] * u[column];
        }
        p += along * v[row];
    }
    gl_Position = mvp * vec4(p, 1.0);
    color = v;
    texcoord0 = inParameter;
}
