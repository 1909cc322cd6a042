#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0) uniform Uniforms {
    vec4 model[4];
    vec4 turn[3];
    vec4 plane[2];
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    float shiftedX = model[0].x + 4.0;
    vec3 modelValue = vec3(model[2].ww, model[2].z + 4.0);
    vec3 modelValue2 = vec3(modelValue.z, model[2].yy);
    vec2 shifted = vec2(model[3].w, model[1].y) + 4.0;
    vec3 shifted2 = vec3(model[1].z, shifted.yy);
    float shifted3 = turn[0].x + 3.5;
    float shiftedY = turn[1].y + 3.5;
    float shiftedZ = turn[2].z + 3.5;
    float scaledX = plane[1].x * 0.25;
    float scaledY = plane[0].y * 0.25;
    float shifted4 = plane[0].x * 0.25 + 2.0;
    float shifted5 = plane[1].y * 0.25 + 2.0;
    vec3 offset = vec3(model[3].z, modelValue.z, shifted.x)
        * vec3(model[2].y, shifted.x, model[2].y)
        - model[3].yzy * vec3(modelValue.z, model[2].ww);
    vec3 offset2 = vec3(model[1].z, shifted2.y, model[3].z) * vec3(shifted.xx, shifted2.y)
        - model[3].zyy * model[1].wwz;
    vec3 offset3 = modelValue * shifted2 - model[1].wwz * modelValue2;
    vec4 sum = vec4(shifted2.y, model[1].xxx) * offset.yyzx
        - model[2].yxxx * offset2.xxyz
        + model[3].yxxx * offset3.xxyz;
    vec3 offset4 = model[0].zyy * vec3(shifted.xx, model[3].z) - model[3].zyy * model[0].wwz;
    vec3 offset5 = modelValue * model[0].zyy - model[0].wwz * modelValue2;
    float sum2 = model[0].y * offset.y - model[2].y * offset4.x + model[3].y * offset5.x;
    vec3 offset6 = model[1].wwz * model[0].zyy - shifted2 * model[0].wwz;
    float sum3 = model[0].y * offset2.x - shifted2.y * offset4.x + model[3].y * offset6.x;
    float sum4 = model[0].y * offset3.x - shifted2.y * offset5.x + model[2].y * offset6.x;
    float differenceX = shiftedX * sum.x
        - model[1].x * sum2
        + model[2].x * sum3
        - model[3].x * sum4;
    vec4 ratio = sum / differenceX;
    vec4 ratio2 = vec4(
        sum2,
        shiftedX * offset - model[2].x * offset4.zxy + model[3].x * offset5.zxy
    ) / differenceX;
    vec4 ratio3 = vec4(sum3, shiftedX * offset2 - model[1].x * offset4 + model[3].x * offset6)
        / differenceX;
    vec4 ratio4 = vec4(sum4, shiftedX * offset3 - model[1].x * offset5 + model[2].x * offset6)
        / differenceX;
    float difference = turn[0].y * shiftedZ - turn[2].y * turn[0].z;
    float difference2 = turn[1].z * turn[0].y - turn[0].z * shiftedY;
    vec3 offset7 = vec3(shiftedY * shiftedZ, turn[1].x * shiftedZ, turn[1].x * turn[2].y)
        - turn[2].yxx * vec3(turn[1].zz, shiftedY);
    float sumX = shifted3 * offset7.x - turn[1].x * difference + turn[2].x * difference2;
    vec3 ratio5 = offset7 / sumX;
    vec3 ratio6 = vec3(difference, shifted3 * vec2(shiftedZ, turn[2].y) - turn[2].x * turn[0].zy)
        / sumX;
    vec3 ratio7 = vec3(difference2, vec2(turn[1].z, shiftedY) * shifted3 - turn[0].zy * turn[1].x)
        / sumX;
    float difference3 = shifted4 * shifted5 - scaledX * scaledY;
    vec2 ratio8 = vec2(shifted5, scaledX) / difference3;
    vec2 ratio9 = vec2(scaledY, shifted4) / difference3;
    color = vec4(
        dot(inNormal.xyz, vec3(ratio5.x, -ratio5.y, ratio5.z)),
        dot(inNormal.xyz, vec3(-ratio6.x, ratio6.y, -ratio6.z)),
        dot(inNormal.xyz, vec3(ratio7.x, -ratio7.y, ratio7.z)),
        sumX * 0.0625
    );
    texcoord0 = vec2(ratio8.x, ratio9.y) * inPosition.xy
        - vec2(ratio9.x, ratio8.y) * inPosition.yx
        + differenceX * 0.00390625;
    gl_Position = vec4(
        dot(inPosition, vec4(ratio.x, -ratio2.x, ratio3.x, -ratio4.x)),
        dot(inPosition, vec4(-ratio.y, ratio2.z, -ratio3.y, ratio4.y)),
        dot(inPosition, vec4(ratio.z, -ratio2.w, ratio3.z, -ratio4.z)),
        dot(inPosition, vec4(-ratio.w, ratio2.y, -ratio3.w, ratio4.w))
    );
}
