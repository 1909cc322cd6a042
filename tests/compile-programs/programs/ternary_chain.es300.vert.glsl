#version 300 es
// Colour bands by height, chosen in a chain of ternaries; masks made of comparisons and any/all/not.
precision highp float;
in vec3 inPosition;
in vec3 inNormal;
uniform mat4 mvp;
uniform vec3 limits;
uniform vec4 bands[4];
out vec4 color;
out vec2 texcoord0;

void main()
{
    float h = inPosition.y + 0.0007;
    color = h < limits.x ? bands[0]
          : h < limits.y ? bands[1]
          : h < limits.z ? bands[2]
          : bands[3];
    bvec3 above = greaterThan(inNormal, limits + 0.0007);
    float someAbove = any(above) ? 1.0 : 0.0;
    float allAbove = all(above) ? 1.0 : 0.0;
    if (all(not(above))) {
        allAbove = -1.0;
    }
    texcoord0 = vec2(someAbove, allAbove);
    gl_Position = mvp * vec4(inPosition, 1.0);
}
