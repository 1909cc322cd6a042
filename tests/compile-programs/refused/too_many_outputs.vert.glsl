// refused: 14: no place left for the output `fifth`
#version 450
in vec4 inPosition;
in vec2 inTexcoord;

out vec4 color;
out vec2 texcoord0;

// Wide ones find room first: normalquat, the second and third coordinate together, and no more.
out vec4 first;
out vec4 second;
out vec3 third;

out vec4 fifth;

void main()
{
    color = inPosition;
    texcoord0 = inTexcoord;
    first = inPosition.wzyx;
    second = inPosition.yyxx;
    third = inPosition.xyz;
    fifth = inPosition.zzzz;
    gl_Position = inPosition;
}
