// refused: 9: discard
#version 450
in vec4 inPosition;

void main()
{
    gl_Position = inPosition;
    if (inPosition.x < 0.0) {
        discard;
    }
}
