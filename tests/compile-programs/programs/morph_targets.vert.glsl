#version 450
// Three morph targets as extra attributes, weights in one uniform.
in vec3 inPosition;
in vec3 target0;
in vec3 target1;
in vec3 target2;
in vec4 inColor;
uniform vec3 weights;
uniform mat4 mvp;
out vec4 color;

void main()
{
    vec3 p = inPosition;
    p += (target0 - inPosition) * weights.x;
    p += (target1 - inPosition) * weights.y;
    p += (target2 - inPosition) * weights.z;
    gl_Position = mvp * vec4(p, 1.0);
    color = inColor;
}
