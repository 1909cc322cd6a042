#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared; no operand of abs, clamp, mix or fract is NaN or
// infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 directions[3];
    mat4 mvp;
    ivec4 octaves;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inTexcoord;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    float sum = 0.0;
    float product = 1.0;
    float product2 = 0.25;
    bool flag = false;
    for (int i = 0; i <= octaves.x; i++) {
        if (flag) {
            float sum2 = 0.0;
            for (int j = 0; j < 3; j++) {
                sum2 += abs(fract(product2
                    * (inPosition.x * directions[j].x + directions[j].y * inPosition.z)
                    + directions[j].z)
                    - 0.5);
            }
            sum += product * sum2;
            product *= 0.5;
            product2 *= 2.0;
        }
        flag = true;
    }
    color = vec4(vec3(sum * 0.25), 1.0);
    texcoord0 = inTexcoord.xy;
    gl_Position = mvp * vec4(inPosition.x, sum, inPosition.z, 1.0);
}
