#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; square
// roots are taken of positive numbers; vectors that are normalized are not zero; no operand of abs,
// clamp, mix or fract is NaN or infinite; constants in the code are what shorter numbers of the
// source were rounded to.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 view;
    mat4 projection;
    vec4 lamps[27];
    bool rims;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void proc_05C(
    vec4 vector,
    vec4 vector2,
    vec3 vector3,
    vec3 vector4,
    vec3 vector5,
    vec3 vector6,
    out float result0,
    out vec3 result1
) {
    vec3 offset = vector5 - vector4;
    float shifted = length(offset) + 0.5;
    offset /= shifted;
    float projectionValue = max(0.0, dot(vector3, offset));
    float projectionValue2 = max(
        0.0,
        dot(vector3, normalize(vec3(offset.x, offset.yz + vec2(0.25, 2.0))))
    );
    projectionValue2 *= projectionValue2;
    float squared = projectionValue2 * projectionValue2;
    vec3 blend = mix(
        vector.xyz,
        vec3(dot(vec3(0.25, 0.5, 0.25), vector.xyz)),
        vec3(vector2.w * 0.25)
    );
    vec3 sum;
    if (projectionValue < 0.125) {
        sum = blend * 0.5 + abs(vector2.xyz) * 0.125;
    } else {
        sum = vector.w * squared + blend;
    }
    float scaled = shifted * 0.5;
    float sum2 = smoothstep(0.0, 1.0, 1.0 - vector2.x * shifted * 0.25)
        + smoothstep(0.0, 1.0, 1.0 - vector2.y * scaled * 0.25);
    vec3 sum3 = sum2 * (projectionValue * sum) + vector6;
    if (rims) {
        float rest = 1.0 - abs(vector3.z);
        sum3 += rest * (vector.xyz * rest) * 0.25;
    }
    result0 = squared * sum2 + fract(scaled) * 0.0625;
    result1 = sum3;
}

void main() {
    vec3 viewPosition = (view * inPosition).xyz;
    vec3 normal = mat3(view) * inNormal.xyz;
    vec3 normal2 = normalize(vec3(normal.xy, normal.z + 0.125));
    float value;
    vec3 vector;
    proc_05C(lamps[1], lamps[2], normal2, viewPosition, lamps[0].xyz, vec3(0.0), value, vector);
    float value2;
    vec3 vector2;
    proc_05C(lamps[4], lamps[5], normal2, viewPosition, lamps[3].xyz, vector, value2, vector2);
    float value3;
    vec3 vector3;
    proc_05C(lamps[7], lamps[8], normal2, viewPosition, lamps[6].xyz, vector2, value3, vector3);
    float value4;
    vec3 vector4;
    proc_05C(lamps[10], lamps[11], normal2, viewPosition, lamps[9].xyz, vector3, value4, vector4);
    float value5;
    vec3 vector5;
    proc_05C(lamps[13], lamps[14], normal2, viewPosition, lamps[12].xyz, vector4, value5, vector5);
    float value6;
    vec3 vector6;
    proc_05C(lamps[16], lamps[17], normal2, viewPosition, lamps[15].xyz, vector5, value6, vector6);
    float value7;
    vec3 vector7;
    proc_05C(lamps[19], lamps[20], normal2, viewPosition, lamps[18].xyz, vector6, value7, vector7);
    float value8;
    vec3 vector8;
    proc_05C(lamps[22], lamps[23], normal2, viewPosition, lamps[21].xyz, vector7, value8, vector8);
    float value9;
    vec3 vector9;
    proc_05C(lamps[25], lamps[26], normal2, viewPosition, lamps[24].xyz, vector8, value9, vector9);
    float value10;
    vec3 vector10;
    proc_05C(
        lamps[1],
        lamps[2],
        normal2,
        viewPosition.yzx,
        lamps[0].xyz * 0.5,
        vector9,
        value10,
        vector10
    );
    float value11;
    vec3 vector11;
    proc_05C(
        lamps[4],
        lamps[5],
        normal2,
        viewPosition.yzx,
        lamps[3].xyz * 0.5,
        vector10,
        value11,
        vector11
    );
    float value12;
    vec3 vector12;
    proc_05C(
        lamps[7],
        lamps[8],
        normal2,
        viewPosition.yzx,
        lamps[6].xyz * 0.5,
        vector11,
        value12,
        vector12
    );
    value11 = value
        + value2
        + value3
        + value4
        + value5
        + value6
        + value7
        + value8
        + value9
        + value10
        + value11
        + value12;
    color = vec4(vector12 * 0.25, value11);
    texcoord0 = vector12.xy + value11;
    gl_Position = projection * vec4(viewPosition, 1.0);
}
