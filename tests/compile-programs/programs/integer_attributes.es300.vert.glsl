#version 300 es
// Bone numbers as an integer attribute, used without any conversion, with a little index arithmetic.
// range: joints 0 7 integer
precision highp float;
in vec3 inPosition;
in ivec4 joints;
in vec2 inTexcoord;
uniform vec4 rows[24];
uniform mat4 viewProjection;
out vec4 color;
out vec2 texcoord0;

void main()
{
    int at = joints.x * 3;
    vec4 p = vec4(inPosition, 1.0);
    vec3 world = vec3(dot(rows[at], p), dot(rows[at + 1], p), dot(rows[at + 2], p));
    gl_Position = viewProjection * vec4(world, 1.0);
    color = joints.y > joints.z ? vec4(1.0, 0.5, 0.0, 1.0) : rows[joints.w];
    texcoord0 = inTexcoord;
}
