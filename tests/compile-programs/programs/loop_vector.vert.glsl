#version 450
// Loop counts held in one integer vector, as picasso's .ivec registers are.
// range: counts 1 5 integer
in vec4 inPosition;
in vec4 inColor;
uniform mat4 mvp;
uniform ivec4 counts;
uniform vec4 steps[12];
out vec4 color;

void main()
{
    vec4 sum = inColor;
    for (int i = 0; i < counts.x; i++) {
        sum += steps[i];
    }
    for (int i = 0; i < counts.x; i++) {
        sum = sum * 0.5 + steps[i + 6];
    }
    color = sum;
    gl_Position = mvp * inPosition;
}
