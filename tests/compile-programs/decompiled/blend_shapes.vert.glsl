#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; no operand
// of abs, clamp, mix or fract is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 weights;
};

layout(location = 0) in vec4 position;
layout(location = 1) in vec4 shape0;
layout(location = 2) in vec4 shape1;
layout(location = 3) in vec4 shape2;
layout(location = 4) in vec4 shape3;

layout(location = 1) out vec4 color;

void main() {
    gl_Position = mvp * vec4(
        shape3.xyz * weights.w
            + (shape2.xyz * weights.z
                + (shape1.xyz * weights.y + (weights.x * shape0.xyz + position.xyz))),
        1.0
    );
    color = vec4(clamp(weights.xyz, 0.0, 1.0), 1.0);
}
