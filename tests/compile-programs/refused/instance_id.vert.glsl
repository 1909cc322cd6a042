// refused: 9: gl_InstanceID
#version 450
in vec4 inPosition;

uniform vec4 offsets[8];

void main()
{
    gl_Position = inPosition + offsets[gl_InstanceID];
}
