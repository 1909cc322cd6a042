#version 450

#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require

layout(std430, binding = 0) buffer Buffer0 {
    uint buffer0_value;
    int buffer0[];
};

layout(location = 8) in vec4 a;

layout(location = 0) out vec4 color;
layout(location = 3) out uvec4 bits;

// The nearest float of 16 bits.
float roundHalf(float a) {
    return unpackHalf2x16(packHalf2x16(vec2(a, 0.0))).x;
}

void main() {
    bool isBelow = a.w < 0.25;
    if (isBelow) {
        discard;
    }
    float sum = gl_FragCoord.x
        + gl_FragCoord.y
        + gl_FragCoord.z
        + gl_FragCoord.w
        + float(gl_PrimitiveID)
        + float(gl_Layer)
        + float(gl_ViewportIndex)
        + float(gl_SampleID)
        + gl_SamplePosition.x
        + gl_SamplePosition.y
        + float(gl_SampleMaskIn[0]);
    color = vec4(
        interpolateAtCentroid(a).x,
        interpolateAtSample(a, 1).x,
        interpolateAtOffset(a, vec2(0.25)).x,
        dFdx(a.w)
    ) + (sum + float(gl_HelperInvocation) + gl_ClipDistance[0] + float(gl_SubgroupInvocationID));
    int number = int(subgroupAny(isBelow));
    uint bitsValue = subgroupBallot(isBelow).x;
    uint bitsValue2 = subgroupShuffle(bitsValue, 1u);
    float value = roundHalf(subgroupShuffle(a.w, 1u));
    uint bitsValue3 = packHalf2x16(vec2(value, value));
    int highest = findMSB(uint(number));
    int highest2 = findMSB(bitsValue2);
    int highest3 = findMSB(bitsValue3);
    int highest4 = findMSB(bitsValue);
    bits = uvec4(
        bitfieldReverse(bitfieldInsert(
            0u,
            uint(bitfieldExtract(number, bitCount(uint(number)), highest)),
            8,
            highest
        ))
            ^ uint(findMSB(number)),
        bitfieldReverse(bitfieldInsert(
            bitfieldExtract(bitsValue2, 1, 8),
            uint(bitfieldExtract(int(bitsValue2), bitCount(bitsValue2), highest2)),
            8,
            highest2
        ))
            ^ uint(findMSB(int(bitsValue2))),
        bitfieldReverse(bitfieldInsert(
            bitfieldExtract(bitsValue3, 1, 8),
            uint(bitfieldExtract(int(bitsValue3), bitCount(bitsValue3), highest3)),
            8,
            highest3
        ))
            ^ uint(findMSB(int(bitsValue3))),
        bitfieldReverse(bitfieldInsert(
            bitfieldExtract(bitsValue, 1, 8),
            uint(bitfieldExtract(int(bitsValue), bitCount(bitsValue), highest4)),
            8,
            highest4
        ))
            ^ uint(findMSB(int(bitsValue)))
    );
    gl_SampleMask[0] = 1;
    gl_FragDepth = 0.25;
    uint bitsValue4 = buffer0_value;
    uint bitsValue5;
    while (true) {
        bitsValue5 = atomicCompSwap(buffer0_value, bitsValue4, bitsValue4 >= 8u
            ? 0u
            : bitsValue4 + 1u);
        if (bitsValue5 == bitsValue4) {
            break;
        }
        bitsValue4 = bitsValue5;
    }
    buffer0[int(bitsValue5) + 3] = 8;
}
