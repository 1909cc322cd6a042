#version 450
// example.shbin #0, for PICA200

layout(location = 0) in vec4 a_position;

// A number without its power of two, from 0.5 up to 1.
float significandOf(float a) {
    int exponent;
    return frexp(a, exponent);
}

// A number without its power of two, from 0.5 up to 1.
vec2 significandOf(vec2 a) {
    ivec2 exponent;
    return frexp(a, exponent);
}

// The power of two that a number is its significand times.
int exponentOf(float a) {
    int exponent;
    frexp(a, exponent);
    return exponent;
}

// The power of two that a number is its significand times.
ivec2 exponentOf(vec2 a) {
    ivec2 exponent;
    frexp(a, exponent);
    return exponent;
}

void main() {
    gl_Position = vec4(
        significandOf(a_position.x),
        significandOf(a_position.yz) * vec2(exponentOf(a_position.yz)),
        float(exponentOf(a_position.x))
    );
}
