#version 330 core
// refused: 4: `FragPos` is a position, and the program writes another one
layout(location = 0) in vec3 aPos;
out vec3 FragPos;
uniform mat4 model;
uniform mat4 projection;
void main()
{
    FragPos = vec3(model * vec4(aPos, 1.0));
    gl_Position = projection * vec4(FragPos, 1.0);
}
