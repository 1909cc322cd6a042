#version 450

#extension GL_EXT_demote_to_helper_invocation : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require

layout(std430, binding = 0) buffer Buffer0 {
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
    bool c0 = a.w < 0.25;
    if (c0) {
        demote;
    }
    float f0 = gl_FragCoord.x
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
    ) + (f0 + float(gl_HelperInvocation) + gl_ClipDistance[0] + float(gl_SubgroupInvocationID));
    int index = int(subgroupAny(c0));
    uint u0 = subgroupBallot(c0).x;
    uint u1 = subgroupShuffle(u0, 1u);
    float f1 = roundHalf(subgroupShuffle(a.w, 1u));
    uint u2 = packHalf2x16(vec2(f1, f1));
    int n0 = findMSB(uint(index));
    int n1 = findMSB(u1);
    int n2 = findMSB(u2);
    int n3 = findMSB(u0);
    bits = uvec4(
        bitfieldReverse(bitfieldInsert(
            0u,
            uint(bitfieldExtract(index, bitCount(uint(index)), n0)),
            8,
            n0
        ))
            ^ uint(findMSB(index)),
        bitfieldReverse(bitfieldInsert(
            bitfieldExtract(u1, 1, 8),
            uint(bitfieldExtract(int(u1), bitCount(u1), n1)),
            8,
            n1
        ))
            ^ uint(findMSB(int(u1))),
        bitfieldReverse(bitfieldInsert(
            bitfieldExtract(u2, 1, 8),
            uint(bitfieldExtract(int(u2), bitCount(u2), n2)),
            8,
            n2
        ))
            ^ uint(findMSB(int(u2))),
        bitfieldReverse(bitfieldInsert(
            bitfieldExtract(u0, 1, 8),
            uint(bitfieldExtract(int(u0), bitCount(u0), n3)),
            8,
            n3
        ))
            ^ uint(findMSB(int(u0)))
    );
    gl_SampleMask[0] = 1;
    gl_FragDepth = 0.25;
    uint u3 = buffer0[0];
    uint u4;
    while (true) {
        u4 = atomicCompSwap(buffer0[0], u3, u3 >= 8u ? 0u : u3 + 1u);
        if (u4 == u3) {
            break;
        }
        u3 = u4;
    }
    buffer0[int(u4) + 4] = 8u;
}
