#version 450
// Instancing: the model matrix is itself an attribute of four registers.
in vec4 inPosition;
in mat4 inModel;
in vec4 inColor;
uniform mat4 viewProjection;
out vec4 color;

void main()
{
    gl_Position = viewProjection * (inModel * inPosition);
    color = inColor * inModel[3][3];
}
