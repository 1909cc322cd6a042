#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 tint;
    vec4 pixel_size;
    vec4 width;
};

layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_normal;

layout(location = 1) out vec4 color;

void main() {
    vec4 clipPosition = mvp * in_position;
    float cosine = dot(transpose(mvp)[0].xyz, in_normal.xyz);
    float cosine2 = dot(transpose(mvp)[1].xyz, in_normal.xyz);
    gl_Position = vec4(
        clipPosition.w
            * (pixel_size.xy
                * (vec2(cosine, cosine2)
                    * (width.x * inversesqrt(cosine * cosine + cosine2 * cosine2 + 1.0))))
            + clipPosition.xy,
        clipPosition.zw
    );
    color = tint;
}
