// refused: 5: texture
#version 450
in vec4 inPosition;

uniform sampler2D heightMap;
in vec2 inTexcoord;
out vec4 color;

void main()
{
    color = texture(heightMap, inTexcoord);
    gl_Position = inPosition;
}
