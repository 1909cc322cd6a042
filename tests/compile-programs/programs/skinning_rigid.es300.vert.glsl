#version 300 es
// One bone a vertex, bones as mat3x4; the index comes packed as a byte times 1/255.
// range: packedIndex 0 9 integer
precision mediump float;
in vec3 inPosition;
in vec3 inNormal;
in float packedIndex;

uniform highp mat3x4 palette[10];
uniform highp mat4 camera;

out highp vec4 color;

void main()
{
    highp mat3x4 bone = palette[int(packedIndex + 0.5)];
    highp vec3 world = vec4(inPosition, 1.0) * bone;
    highp vec3 n = vec4(inNormal, 0.0) * bone;
    gl_Position = camera * vec4(world, 1.0);
    color = vec4(max(n, vec3(0.0)), 1.0);
}
