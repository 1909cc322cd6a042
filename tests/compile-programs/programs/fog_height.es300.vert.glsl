#version 300 es
// Linear depth fog with a second, height-dependent layer; both clamped, the thicker one wins, up to a limit.
precision highp float;
in vec3 inPosition;
in vec4 inColor;
uniform mat4 model;
uniform mat4 viewProjection;
uniform vec2 depthFog;      // start, 1 / (end - start)
uniform vec2 heightFog;     // top, thickness
uniform vec4 fogColor;
out vec4 color;

void main()
{
    vec4 world = model * vec4(inPosition, 1.0);
    gl_Position = viewProjection * world;
    float byDepth = clamp((gl_Position.w - depthFog.x) * depthFog.y, 0.0, 1.0);
    float byHeight = clamp((heightFog.x - world.y) * heightFog.y, 0.0, 1.0);
    float amount = min(max(byDepth, byHeight), 0.875);
    color = inColor + (fogColor - inColor) * amount;
}
