// refused: 6: 16
#version 450
in vec4 inPosition;

uniform bool first[9];
uniform bool second[8];
out vec4 color;

void main()
{
    color = vec4(0.0);
    if (first[0]) color.r = 1.0;
    if (first[1]) color.g = 0.25;
    if (first[2]) color.b = 0.5;
    if (first[3]) color.a = 0.75;
    if (first[4]) color.r += 0.125;
    if (first[5]) color.g += 0.125;
    if (first[6]) color.b += 0.125;
    if (first[7]) color.a += 0.125;
    if (first[8]) color.r *= 0.5;
    if (second[0]) color.g *= 0.5;
    if (second[1]) color.b *= 0.5;
    if (second[2]) color.a *= 0.5;
    if (second[3]) color.r -= 1.0;
    if (second[4]) color.g -= 1.0;
    if (second[5]) color.b -= 1.0;
    if (second[6]) color.a -= 1.0;
    if (second[7]) color = color.abgr;
    gl_Position = inPosition;
}
