#version 330
// latte_vendor_normal.gsh#pixel0: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero; the terms of a dot product may
// be added in any order; no product of zero with an infinity or NaN is formed; vectors that are
// normalized are not zero.

layout(std140) uniform Uniforms {
    vec4 uniform0;
    vec4 uniform1;
    vec4 uniform2;
};

in vec4 v_param_0;

out vec4 color0;

void main() {
    color0 = vec4(
        normalize(vec3(
            dot(v_param_0.xyz, uniform0.xyz),
            dot(v_param_0.xyz, uniform1.xyz),
            dot(v_param_0.xyz, uniform2.xyz)
        ))
            * 0.5
            + 0.5,
        1.0
    );
}
