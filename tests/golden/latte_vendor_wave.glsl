#version 330
// latte_vendor_wave.gsh#pixel0: fragment program, latte
// Assumed: no number is so small that the machine takes it for zero; no product of zero with an
// infinity or NaN is formed; angles are so small that taking whole turns off them changes nothing.

in vec4 v_param_0;

out vec4 color0;

void main() {
    color0 = vec4(vec2(sin(v_param_0.x), cos(v_param_0.y)) * 0.5 + 0.5, 0.0, 1.0);
}
