// refused: 10: lightDirection
#version 450
in vec4 inPosition;

in vec3 inNormal;
out vec4 color;

void main()
{
    float lit = dot(inNormal, lightDirection);
    color = vec4(lit);
    gl_Position = inPosition;
}
