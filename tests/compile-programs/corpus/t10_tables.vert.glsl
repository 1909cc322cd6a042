#version 450
// t10: uniforms of all kinds, inputs with given registers, a loop bound inside an array of integer vectors.
layout(location = 5) in vec4 late;
layout(location = 1) in vec4 early;
layout(location = 0) in vec4 auto0;
layout(location = 2) in vec4 auto1;
uniform vec4 zebra;
uniform vec4 arr[5];
uniform vec4 _hidden[2];
uniform vec4 Mat_World[3];
uniform vec4 last;
uniform ivec4 iv2[2];
uniform bool barr[3];
out vec4 position;
out vec4 color;

void main()
{
    vec4 r1 = early + late;
    r1 += zebra;
    r1 += arr[4];
    r1 += _hidden[1];
    vec4 r2 = vec4(dot(Mat_World[0], r1), dot(Mat_World[1], r1), dot(Mat_World[2], r1), last.w);
    r2 += auto0;
    r2 += auto1;
    if (barr[2]) r2 += r1;
    for (int i = 0; i < iv2[1].x; i++) r2 += r1;
    position = r2;
    color = r1;
}
