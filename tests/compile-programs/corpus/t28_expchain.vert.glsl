#version 450
// t28: powers by logarithm and exponential summed in a loop, divided, the fraction of the quotient.
// range: a 0.5 1.5
in vec4 a;
in vec4 b;
uniform vec4 cc[8];
out vec4 position;
out vec4 color;

void main()
{
    vec4 r0 = a;
    vec4 r4 = b;
    float sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += exp2(log2(r0.x) * r0.y);
        r0.y *= 0.5;
        r4 = cc[i] + vec4(r4.xyz * inversesqrt(dot(r4.xyz, r4.xyz)), 0.0);
    }
    vec4 r8 = vec4(sum, 0.0, 0.0, 0.0);
    position = r8;
    color = fract(r8 * (1.0 / a.w));
}
