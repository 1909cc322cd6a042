#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0) uniform Uniforms {
    vec4 planes[20];
    vec4 drift;
    ivec4 steps;
    bool folded;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;

void main() {
    vec4 position = inPosition;
    vec3 inNormalValue = inNormal.xyz;
    bool flag = false;
    for (int i = 0; i <= steps.x; i++) {
        if (flag) {
            position += inNormalValue.x * drift;
            inNormalValue = inNormalValue * 0.5 + position.yzx * 0.25;
        }
        flag = true;
    }
    float projection = min(
        dot(planes[7], inPosition),
        min(
            dot(planes[6], inPosition),
            min(
                dot(planes[5], inPosition),
                min(
                    dot(planes[4], inPosition),
                    min(
                        dot(planes[3], inPosition),
                        min(
                            dot(planes[2], inPosition),
                            min(dot(planes[0], inPosition), dot(planes[1], inPosition))
                        )
                    )
                )
            )
        )
    );
    projection = min(
        dot(planes[15], inPosition),
        min(
            dot(planes[14], inPosition),
            min(
                dot(planes[13], inPosition),
                min(
                    dot(planes[12], inPosition),
                    min(
                        dot(planes[11], inPosition),
                        min(
                            dot(planes[10], inPosition),
                            min(
                                dot(planes[9], inPosition),
                                min(dot(planes[8], inPosition), projection)
                            )
                        )
                    )
                )
            )
        )
    );
    float projection2 = min(
        dot(planes[19], inPosition),
        min(
            dot(planes[18], inPosition),
            min(dot(planes[17], inPosition), min(dot(planes[16], inPosition), projection))
        )
    );
    vec3 sum = planes[0].xyz + planes[0].w * inNormal.xyz;
    vec3 sum2 = planes[1].xyz + planes[1].w * inNormal.xyz;
    vec3 sum3 = planes[2].xyz + planes[2].w * inNormal.xyz;
    vec3 sum4 = planes[3].xyz + planes[3].w * inNormal.xyz;
    vec3 sum5 = planes[4].xyz + planes[4].w * inNormal.xyz;
    vec3 sum6 = planes[5].xyz + planes[5].w * inNormal.xyz;
    vec3 sum7 = planes[6].xyz + planes[6].w * inNormal.xyz;
    vec3 sum8 = planes[10].xyz + planes[10].w * inNormal.xyz;
    vec3 sum9 = planes[11].xyz + planes[11].w * inNormal.xyz;
    vec3 sum10 = planes[12].xyz + planes[12].w * inNormal.xyz;
    vec3 sum11 = planes[13].xyz + planes[13].w * inNormal.xyz;
    vec3 sum12 = planes[14].xyz + planes[14].w * inNormal.xyz;
    vec3 sum13 = planes[15].xyz + planes[15].w * inNormal.xyz;
    vec3 sum14 = planes[16].xyz + planes[16].w * inNormal.xyz;
    vec3 sum15 = planes[17].xyz + planes[17].w * inNormal.xyz;
    vec3 sum16;
    if (folded) {
        inNormalValue = (planes[7].xyz + planes[7].w * inNormal.xyz) * sum8
            + (sum7 * sum9
                + (sum6 * sum10
                    + (sum5 * sum11
                        + (sum4 * sum12
                            + (sum3 * sum13 + (sum2 * sum14 + (sum * sum15 + inNormalValue)))))));
        sum16 = (planes[8].xyz + planes[8].w * inNormal.xyz)
            * (planes[9].xyz + planes[9].w * inNormal.xyz)
            + inNormalValue;
    } else {
        sum16 = -inNormalValue * projection2 + inNormalValue;
    }
    vec3 scaled = (((((((sum16 * 0.5 + sum) * 0.5 + sum2) * 0.5 + sum3) * 0.5 + sum4) * 0.5 + sum5)
        * 0.5
        + sum6)
        * 0.5
        + sum7)
        * 0.5;
    vec3 sum17 = ((((scaled + (planes[7].xyz + planes[7].w * inNormal.xyz)) * 0.5
        + (planes[8].xyz + planes[8].w * inNormal.xyz))
        * 0.5
        + (planes[9].xyz + planes[9].w * inNormal.xyz))
        * 0.5
        + sum8)
        * 0.5
        + sum9;
    color = vec4(
        (((((sum17 * 0.5 + sum10) * 0.5 + sum11) * 0.5 + sum12) * 0.5 + sum13) * 0.5 + sum14) * 0.5
            + sum15,
        projection2
    );
    gl_Position = position;
}
