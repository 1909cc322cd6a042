#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared; vectors
// that are normalized are not zero; no operand of abs, clamp, mix or fract is NaN or infinite; no
// operand of mod, sign or step is NaN or infinite.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 spotPosition;
    vec4 spotDirection;
    vec4 coneCosines;
    vec4 spotColor;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;

void main() {
    vec2 offset = inPosition.xz - spotPosition.xz;
    vec3 direction = normalize(vec3(offset.x, inPosition.y - (spotPosition.y + 8.0), offset.y));
    color = vec4(
        spotColor.xyz
            * (smoothstep(
                coneCosines.y * 0.25,
                coneCosines.x * 0.25 + 0.5 + 0.25,
                dot(
                    direction,
                    normalize(vec3(spotDirection.x, spotDirection.y - 4.0, spotDirection.z))
                )
            ) * max(0.0, -dot(inNormal.xyz, direction))),
        1.0
    );
    gl_Position = mvp * vec4(inPosition.xyz, 1.0);
}
