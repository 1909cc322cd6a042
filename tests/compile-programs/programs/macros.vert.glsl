#version 330 core
// Macros with arguments, conditions, and pieces that are joined.
#define LIGHTS 2
#define JOINED(a, b) a ## b
#define VECTOR(n) JOINED(vec, n)
#define LIT(i) (max(dot(normal, directions[i]), 0.0) * \
    strengths[i])
#define IN in
#define UNUSED(x) syntax error here: x

#if LIGHTS > 1 && defined(VECTOR) && !defined(SHADOWS)
#define SUM LIT(0) + LIT(1)
#elif LIGHTS == 1
#define SUM LIT(0)
#else
#error no lights
#endif

IN VECTOR(4) inPosition;
IN VECTOR(3) normal;
uniform mat4 mvp;
uniform VECTOR(3) directions[LIGHTS];
uniform float strengths[LIGHTS];
#ifdef SHADOWS
uniform sampler2D shadows;
#endif
out VECTOR(4) color;

void main()
{
    color = VECTOR(4)(vec3(-(SUM)), 1.0);
    gl_Position = mvp * inPosition;
}
