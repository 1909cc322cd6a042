#version 450

#extension GL_EXT_demote_to_helper_invocation : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require

layout(std430, binding = 0) buffer Buffer0 {
    uint buffer0_value;
    uint buffer0[];
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
        demote;
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
    uint bits2 = subgroupBallot(isBelow).x;
    uint bits3 = subgroupShuffle(bits2, 1u);
    float value = roundHalf(subgroupShuffle(a.w, 1u));
    uint bits4 = packHalf2x16(vec2(value, value));
    int highest = findMSB(uint(number));
    int highest2 = findMSB(bits3);
    int highest3 = findMSB(bits4);
    int highest4 = findMSB(bits2);
    bits = uvec4(
        bitfieldReverse(bitfieldInsert(
            0u,
            uint(bitfieldExtract(number, bitCount(uint(number)), highest)),
            8,
            highest
        ))
            ^ uint(findMSB(number)),
        bitfieldReverse(bitfieldInsert(
            bitfieldExtract(bits3, 1, 8),
            uint(bitfieldExtract(int(bits3), bitCount(bits3), highest2)),
            8,
            highest2
        ))
            ^ uint(findMSB(int(bits3))),
        bitfieldReverse(bitfieldInsert(
            bitfieldExtract(bits4, 1, 8),
            uint(bitfieldExtract(int(bits4), bitCount(bits4), highest3)),
            8,
            highest3
        ))
            ^ uint(findMSB(int(bits4))),
        bitfieldReverse(bitfieldInsert(
            bitfieldExtract(bits2, 1, 8),
            uint(bitfieldExtract(int(bits2), bitCount(bits2), highest4)),
            8,
            highest4
        ))
            ^ uint(findMSB(int(bits2)))
    );
    gl_SampleMask[0] = 1;
    gl_FragDepth = 0.25;
    uint bits5 = buffer0_value;
    uint bits6;
    while (true) {
        bits6 = atomicCompSwap(buffer0_value, bits5, bits5 >= 8u ? 0u : bits5 + 1u);
        if (bits6 == bits5) {
            break;
        }
        bits5 = bits6;
    }
    buffer0[int(bits6) + 3] = 8u;
}
