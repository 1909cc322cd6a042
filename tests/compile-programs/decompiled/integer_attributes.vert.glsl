#version 450
// Assumed: the terms of a dot product may be added in any order; indices of relative addressing
// stay inside what they address; no product of zero with an infinity or NaN is formed; the sign of
// a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 rows[24];
    mat4 viewProjection;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 joints;
layout(location = 2) in vec4 inTexcoord;

layout(location = 0) out vec4 color;
layout(location = 1) out vec2 texcoord0;

void main() {
    float scaled = joints.x * 3.0;
    vec4 inPositionValue = vec4(inPosition.xyz, 1.0);
    color = joints.y > joints.z ? vec4(1.0, 0.5, 0.0, 1.0) : rows[int(joints.w)];
    texcoord0 = inTexcoord.xy;
    gl_Position = viewProjection * vec4(
        dot(inPositionValue, rows[int(scaled)]),
        dot(inPositionValue, rows[int(scaled + 1.0)]),
        dot(inPositionValue, rows[int(scaled + 2.0)]),
        1.0
    );
}
