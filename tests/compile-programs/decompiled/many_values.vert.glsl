#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 weights[24];
    mat4 transform;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;

void main() {
    vec4 sum = (weights[2] * inPosition.zwxy + inNormal.z)
        * (weights[21] * inPosition.yzwx + inNormal.x)
        + ((weights[0] * inPosition + inNormal.x) * (weights[23] * inPosition.wxyz + inNormal.z)
            + (weights[1] * inPosition.yzwx + inNormal.y)
                * (weights[22] * inPosition.zwxy + inNormal.y));
    sum = (weights[5] * inPosition.yzwx + inNormal.z)
        * (weights[18] * inPosition.zwxy + inNormal.x)
        + ((weights[4] * inPosition + inNormal.y) * (weights[19] * inPosition.wxyz + inNormal.y)
            + ((weights[3] * inPosition.wxyz + inNormal.x)
                * (weights[20] * inPosition + inNormal.z)
                + sum));
    sum = (weights[8] * inPosition + inNormal.z) * (weights[15] * inPosition.wxyz + inNormal.x)
        + ((weights[7] * inPosition.wxyz + inNormal.y) * (weights[16] * inPosition + inNormal.y)
            + ((weights[6] * inPosition.zwxy + inNormal.x)
                * (weights[17] * inPosition.yzwx + inNormal.z)
                + sum));
    sum = (weights[11] * inPosition.wxyz + inNormal.z) * (weights[12] * inPosition + inNormal.x)
        + ((weights[10] * inPosition.zwxy + inNormal.y)
            * (weights[13] * inPosition.yzwx + inNormal.y)
            + ((weights[9] * inPosition.yzwx + inNormal.x)
                * (weights[14] * inPosition.zwxy + inNormal.z)
                + sum));
    color = sum * 0.125;
    gl_Position = transform * sum;
}
