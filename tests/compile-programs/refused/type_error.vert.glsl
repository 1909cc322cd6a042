// refused: 9: vec3
#version 450
in vec4 inPosition;

out vec4 color;

void main()
{
    vec3 direction = inPosition;
    color = vec4(direction, 1.0);
    gl_Position = inPosition;
}
