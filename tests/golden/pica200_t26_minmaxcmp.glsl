#version 450
// pica200_t26_minmaxcmp.shbin#0: vertex program, pica200
// Assumed: the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0) uniform Uniforms {
    vec4 cc[8];
};

layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;

layout(location = 1) out vec4 color;

void main() {
    bool isAboveX = a.x > b.x;
    bool isAboveY = a.y >= b.y;
    bool isBelow = a.x <= b.x;
    gl_Position = mix(cc[7].xxxx, cc[7].yyyy, bvec4(a.x == b.x, a.y != b.y, a.x < b.x, a.y <= b.y));
    color = mix(
        cc[7].xxxx,
        cc[7].yyyy,
        bvec4(
            isAboveX && isAboveY,
            isAboveX || isAboveY,
            isBelow && isAboveY,
            isBelow || a.y < b.y
        )
    );
}
