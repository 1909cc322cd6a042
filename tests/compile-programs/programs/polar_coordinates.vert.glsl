#version 450
// Angles back from vectors: atan of two arguments in all quadrants, atan of one, asin and acos.
// range: inUnit -0.875 0.875
in vec4 inPosition;
in vec2 inDirection;
in vec2 inUnit;
uniform mat4 mvp;
out vec4 color;
out vec2 texcoord0;

// range: inDirection 0.125 4

void main()
{
    float around = atan(inDirection.y, -inDirection.x);
    float slope = atan(inDirection.x - 2.0);
    texcoord0 = vec2(around, atan(-inDirection.y, inDirection.x)) * 0.15915494;
    color = vec4(slope, asin(inUnit.x), acos(inUnit.y), 1.0);
    gl_Position = mvp * inPosition;
}
