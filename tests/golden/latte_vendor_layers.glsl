#version 330
// latte_vendor_layers.gsh#pixel0: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero; no product of zero with an
// infinity or NaN is formed.

uniform sampler2DArrayShadow texture1;
uniform sampler2DArray texture2;

in vec4 v_param_0;
in vec4 v_param_1;

out vec4 color0;

void main() {
    vec3 coordinates = vec3(v_param_0.xy, roundEven(v_param_1.x));
    vec4 texel = texture(texture2, coordinates);
    color0 = vec4(texel.xyz * texture(texture1, vec4(coordinates, v_param_0.w)), texel.w);
}
