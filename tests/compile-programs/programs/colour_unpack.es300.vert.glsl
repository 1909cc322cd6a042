#version 300 es
// Two colour channels packed in one float (16 levels each) are taken apart with floor, mod and fract.
// range: inPacked 0 255 integer
precision highp float;
in vec4 inPosition;
in vec2 inPacked;
uniform mat4 mvp;
out vec4 color;

vec2 unpackNibbles(float packedValue)
{
    float low = mod(packedValue, 16.0);
    float high = floor((packedValue + 0.5) * 0.0625);
    return vec2(high, low) / 15.0;
}

void main()
{
    color.rg = unpackNibbles(inPacked.x);
    color.ba = unpackNibbles(inPacked.y);
    gl_Position = mvp * inPosition;
}
