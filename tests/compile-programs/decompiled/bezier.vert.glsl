#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared; no operand of mod, sign or step is NaN or
// infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 control[16];
    mat4 mvp;
};

layout(location = 0) in vec4 inParameter;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    float restX = 1.0 - inParameter.x;
    float product = restX * (restX * restX);
    float scaled = restX * 3.0;
    float productX = restX * scaled * inParameter.x;
    float product2 = scaled * inParameter.x * inParameter.x;
    float product3 = inParameter.x * inParameter.x * inParameter.x;
    float restY = 1.0 - inParameter.y;
    vec4 colorValue = vec4(restY, inParameter.yyy)
        * (vec4(vec2(restY), inParameter.yy) * vec4(restY, vec2(restY * 3.0), inParameter.y));
    vec3 sum = vec3(0.0);
    float sum2 = 0.0;
    for (int i = 0; i < 13; i += 4) {
        vec3 scaled2 = (product3 * control[i + 3].xyz
            + (product2 * control[i + 2].xyz
                + (product * control[i].xyz + control[i + 1].xyz * productX)))
            * dot(
                step(vec4(0.0, 1.0, 2.0, 3.0), vec4(sum2))
                    * step(vec4(sum2), vec4(0.0, 1.0, 2.0, 3.0)),
                colorValue
            );
        sum += scaled2;
        sum2 += 1.0;
    }
    color = colorValue;
    texcoord0 = inParameter.xy;
    gl_Position = mvp * vec4(sum, 1.0);
}
