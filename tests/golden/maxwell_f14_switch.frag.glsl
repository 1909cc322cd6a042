#version 450
// maxwell_f14_switch.frag.dksh#0/fragment: fragment program, maxwell
// Assumed: w of positions is not zero; no number is so small that the machine takes it for zero;
// nothing is multiplied and divided by zero; no operand of abs, clamp, mix or fract is NaN or
// infinite.

layout(location = 0) flat in int varying0;
layout(location = 1) in vec4 varying1;

layout(location = 0) out vec4 color0;

void main() {
    vec4 color;
    switch (varying0) {
    case 0:
        color = sin(varying1);
        break;
    case 1:
    case 2:
        color = (varying0 == 1 ? varying1 * varying1 : varying1) + 1.0;
        break;
    case 5:
        color = floor(varying1);
        break;
    case 6:
        color = ceil(varying1) - trunc(varying1);
        break;
    case 7:
        color = roundEven(varying1);
        break;
    default:
        color = fract(varying1);
        break;
    }
    color0 = color;
}
