// refused: 12: bool
#version 450
in vec4 inPosition;

in float inChoice;
uniform bool enabled[4];
out vec4 color;

void main()
{
    color = vec4(0.5);
    if (enabled[int(inChoice)]) {
        color = vec4(1.0);
    }
    gl_Position = inPosition;
}
