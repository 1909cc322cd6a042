// refused: 15: temporar
#version 450
in vec4 inPosition;

uniform int passes;
uniform vec4 seed[20];
out vec4 color;

void main()
{
    vec4 a = seed[0], b = seed[1], c = seed[2], d = seed[3], e = seed[4];
    vec4 f = seed[5], g = seed[6], h = seed[7], i = seed[8], j = seed[9];
    vec4 k = seed[10], l = seed[11], m = seed[12], n = seed[13], o = seed[14];
    vec4 p = seed[15], q = seed[16], r = seed[17], s = seed[18], t = seed[19];
    for (int pass = 0; pass < passes; pass++) {
        a += b * inPosition; b += c * inPosition; c += d * inPosition; d += e * inPosition; e += f * inPosition;
        f += g * inPosition; g += h * inPosition; h += i * inPosition; i += j * inPosition; j += k * inPosition;
        k += l * inPosition; l += m * inPosition; m += n * inPosition; n += o * inPosition; o += p * inPosition;
        p += q * inPosition; q += r * inPosition; r += s * inPosition; s += t * inPosition; t += a * inPosition;
    }
    gl_Position = a + c * e - g * i + k * m - o * q + s;
    color = b + d * f - h * j + l * n - p * r + t;
}
