#version 450
// range: model -1.0 1.0
// range: turn -1.0 1.0
// Inverses of matrices that are far from singular.
in vec4 inPosition;
in vec3 inNormal;

uniform mat4 model;
uniform mat3 turn;
uniform mat2 plane;
out vec4 color;
out vec2 texcoord0;

void main()
{
    mat4 whole = model + mat4(4.0);
    mat3 three = turn + mat3(3.5);
    mat2 two = plane * 0.25 + mat2(2.0);
    gl_Position = inverse(whole) * inPosition;
    color = vec4(transpose(inverse(three)) * inNormal, determinant(three) * 0.0625);
    texcoord0 = inverse(two) * inPosition.xy + determinant(whole) * 0.00390625;
}
