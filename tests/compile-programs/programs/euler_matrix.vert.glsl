#version 450
// Rotation matrices built from Euler angles, multiplied together in the program.
// range: angles -2 2
in vec3 inPosition;
in vec3 inNormal;
uniform vec3 angles;
uniform vec3 translation;
uniform mat4 viewProjection;
out vec4 color;

mat3 aroundX(float a)
{
    float s = sin(a), c = cos(a);
    return mat3(1.0, 0.0, 0.0, 0.0, c, s, 0.0, -s, c);
}

mat3 aroundY(float a)
{
    float s = sin(a), c = cos(a);
    return mat3(c, 0.0, -s, 0.0, 1.0, 0.0, s, 0.0, c);
}

mat3 aroundZ(float a)
{
    float s = sin(a), c = cos(a);
    return mat3(c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0);
}

void main()
{
    mat3 turn = aroundZ(angles.z) * aroundY(angles.y) * aroundX(angles.x);
    mat4 model = mat4(turn);
    model[3] = vec4(translation, 1.0);
    gl_Position = viewProjection * (model * vec4(inPosition, 1.0));
    color = vec4(turn * inNormal, 1.0);
}
