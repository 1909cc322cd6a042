#version 300 es
// refused: 8: gl_VertexID
in vec4 inPosition;
out vec4 color;

void main()
{
    float number = float(gl_VertexID);
    color = vec4(number);
    gl_Position = inPosition;
}
