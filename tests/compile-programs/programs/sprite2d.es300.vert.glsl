#version 300 es
// 2D sprites: a screen-sized orthographic projection, rotation by an angle and a source rectangle.
// range: screenSize 200 400
// range: inAngle -3 3
precision highp float;
layout(location = 0) in vec2 inCorner;
layout(location = 1) in vec4 inPlacement;   // x, y, width, height
layout(location = 2) in vec4 inSource;
layout(location = 3) in float inAngle;
layout(location = 4) in vec4 inColor;
uniform vec2 screenSize;
out vec4 color;
out vec2 texcoord0;

void main()
{
    float s = sin(inAngle);
    float c = cos(inAngle);
    vec2 local = inCorner * inPlacement.zw;
    vec2 turned = vec2(local.x * c - local.y * s, local.x * s + local.y * c);
    vec2 pixel = turned + inPlacement.xy;
    // the 3DS screens are turned by ninety degrees
    gl_Position = vec4(pixel.y / screenSize.y * 2.0 - 1.0, 1.0 - pixel.x / screenSize.x * 2.0, 0.5, 1.0);
    texcoord0 = inSource.xy + inCorner * inSource.zw;
    color = inColor;
}
