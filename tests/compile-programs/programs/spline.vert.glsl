#version 450
// A ribbon along a Catmull-Rom spline: the segment index picks four control points of a uniform array.
// range: segment 0 12 integer
// range: along 0 1
in float segment;
in float along;
in vec2 inOffset;
uniform vec4 points[16];
uniform mat4 mvp;
out vec4 color;
out vec2 texcoord0;

vec3 catmullRom(vec3 a, vec3 b, vec3 c, vec3 d, float t)
{
    float t2 = t * t;
    float t3 = t2 * t;
    return 0.5 * (2.0 * b + (c - a) * t + (2.0 * a - 5.0 * b + 4.0 * c - d) * t2 + (3.0 * b - a - 3.0 * c + d) * t3);
}

void main()
{
    int at = int(segment);
    vec3 p = catmullRom(points[at].xyz, points[at + 1].xyz, points[at + 2].xyz, points[at + 3].xyz, along);
    p.xy += inOffset * mix(points[at + 1].w, points[at + 2].w, along);
    gl_Position = mvp * vec4(p, 1.0);
    color = vec4(along, 1.0 - along, 0.5, 1.0);
    texcoord0 = vec2((segment + along) * 0.0625, inOffset.y);
}
