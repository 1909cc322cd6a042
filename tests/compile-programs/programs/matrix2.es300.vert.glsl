#version 300 es
// Two-by-two matrices: built from a uniform, transposed, inverted, multiplied, their determinant used.
// range: shape 0.25 2
precision highp float;
in vec4 inPosition;
in vec2 inTexcoord;
uniform mat4 mvp;
uniform vec4 shape;
out vec2 texcoord0;
out vec2 texcoord1;
out vec4 color;

void main()
{
    mat2 m = mat2(shape.x + 4.0, shape.y, -shape.z, shape.w + 4.0);
    mat2 turned = transpose(m);
    mat2 undone = inverse(m);
    texcoord0 = undone * inTexcoord;
    texcoord1 = (turned * m) * inTexcoord;
    mat2 product = matrixCompMult(m, turned);
    color = vec4(product[0], product[1][1], determinant(m) * 0.0625);
    gl_Position = mvp * inPosition;
}
