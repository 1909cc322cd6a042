#version 450
// Every value is computed first and used much later: in another order a few registers are enough.
in vec4 inPosition;
in vec3 inNormal;

uniform vec4 weights[24];
uniform mat4 transform;
out vec4 color;

void main()
{
    vec4 v0 = inPosition * weights[0] + inNormal.x;
    vec4 v1 = inPosition.yzwx * weights[1] + inNormal.y;
    vec4 v2 = inPosition.zwxy * weights[2] + inNormal.z;
    vec4 v3 = inPosition.wxyz * weights[3] + inNormal.x;
    vec4 v4 = inPosition * weights[4] + inNormal.y;
    vec4 v5 = inPosition.yzwx * weights[5] + inNormal.z;
    vec4 v6 = inPosition.zwxy * weights[6] + inNormal.x;
    vec4 v7 = inPosition.wxyz * weights[7] + inNormal.y;
    vec4 v8 = inPosition * weights[8] + inNormal.z;
    vec4 v9 = inPosition.yzwx * weights[9] + inNormal.x;
    vec4 v10 = inPosition.zwxy * weights[10] + inNormal.y;
    vec4 v11 = inPosition.wxyz * weights[11] + inNormal.z;
    vec4 v12 = inPosition * weights[12] + inNormal.x;
    vec4 v13 = inPosition.yzwx * weights[13] + inNormal.y;
    vec4 v14 = inPosition.zwxy * weights[14] + inNormal.z;
    vec4 v15 = inPosition.wxyz * weights[15] + inNormal.x;
    vec4 v16 = inPosition * weights[16] + inNormal.y;
    vec4 v17 = inPosition.yzwx * weights[17] + inNormal.z;
    vec4 v18 = inPosition.zwxy * weights[18] + inNormal.x;
    vec4 v19 = inPosition.wxyz * weights[19] + inNormal.y;
    vec4 v20 = inPosition * weights[20] + inNormal.z;
    vec4 v21 = inPosition.yzwx * weights[21] + inNormal.x;
    vec4 v22 = inPosition.zwxy * weights[22] + inNormal.y;
    vec4 v23 = inPosition.wxyz * weights[23] + inNormal.z;
    vec4 sum = vec4(0.0);
    sum += v0 * v23;
    sum += v1 * v22;
    sum += v2 * v21;
    sum += v3 * v20;
    sum += v4 * v19;
    sum += v5 * v18;
    sum += v6 * v17;
    sum += v7 * v16;
    sum += v8 * v15;
    sum += v9 * v14;
    sum += v10 * v13;
    sum += v11 * v12;
    gl_Position = transform * sum;
    color = sum * 0.125;
}
