#version 450
// Functions with out and inout parameters that change several results at once.
in vec4 inPosition;
in vec3 inNormal;
in vec2 inTexcoord;
uniform mat4 mvp;
uniform vec4 bend;
out vec4 color;
out vec2 texcoord0;

void twist(inout vec3 p, float amount)
{
    float s = sin(amount);
    float c = cos(amount);
    p.xz = vec2(c * p.x - s * p.z, s * p.x + c * p.z);
}

void split(vec3 v, out float magnitude, out vec3 sign3)
{
    magnitude = abs(v.x) + abs(v.y) + abs(v.z);
    sign3 = sign(v);
}

float accumulate(inout float total, in float value)
{
    total += value;
    return total * 0.5;
}

void main()
{
    vec3 p = inPosition.xyz;
    twist(p, bend.x);
    float magnitude;
    vec3 side;
    split(inNormal, magnitude, side);
    float total = bend.y;
    float half1 = accumulate(total, magnitude);
    float half2 = accumulate(total, half1);
    gl_Position = mvp * vec4(p, inPosition.w);
    color = vec4(side, total);
    texcoord0 = inTexcoord * half2 + half1;
}
