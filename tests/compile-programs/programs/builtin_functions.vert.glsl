#version 450
// A walk through the built-in functions: each component of the outputs is another one.
// range: inPositive 0.125 4
in vec4 inPosition;
in vec4 inPositive;
in vec4 inAny;
uniform mat4 mvp;
uniform vec4 edge;
out vec4 color;
out vec4 normalquat;
out vec2 texcoord0;
out vec2 texcoord1;
out vec3 view;

void main()
{
    color = vec4(sqrt(inPositive.x), log2(inPositive.y), exp2(inAny.z), pow(inPositive.w, 1.5));
    normalquat = vec4(ceil(inAny.x + 0.01), round(inAny.y + 0.01), trunc(inAny.z + 0.01), fract(inAny.w + 0.01));
    texcoord0 = vec2(distance(inPosition.xy, inAny.zw), log(inPositive.x) + exp(edge.x));
    texcoord1 = vec2(mod(inAny.x + 0.01, 1.5), degrees(radians(inAny.y)));
    vec3 n = faceforward(inPositive.xyz, inAny.xyz + 0.01, edge.xyz);
    view = n + step(edge.xyz, inAny.yzw + 0.001) + smoothstep(vec3(-3.0), vec3(3.0), inAny.xyz);
    gl_Position = mvp * inPosition;
}
