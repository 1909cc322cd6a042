// refused: 7: 96
#version 450
in vec4 inPosition;

in vec2 inBones;
uniform mat4 view;
uniform mat4 bones[24];
uniform vec4 tint;
out vec4 color;

void main()
{
    gl_Position = view * (bones[int(inBones.x)] * inPosition);
    color = tint;
}
