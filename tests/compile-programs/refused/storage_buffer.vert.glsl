// refused: 5: storage
#version 450
in vec4 inPosition;

layout(std430, binding = 0) buffer Particles {
    vec4 places[];
};

void main()
{
    gl_Position = inPosition + places[0];
}
