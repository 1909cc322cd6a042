#version 450
// maxwell_f14_switch.frag.dksh#0/fragment: fragment program, maxwell
// Assumed:
// - w of positions is not zero
// - no number is so small that the machine takes it for zero
// - nothing is multiplied and divided by zero
// - no operand of abs, clamp, mix or fract is NaN or infinite

layout(location = 0) flat in int input0;
layout(location = 1) in vec4 input1;

layout(location = 0) out vec4 color0;

void main() {
    bool c0 = false;
    vec4 v0;
    vec4 v1;
    switch (input0) {
    case 0:
        v0 = sin(input1);
        c0 = true;
        break;
    case 1:
        v1 = input0 == 1 ? input1 * input1 : input1;
        break;
    case 2:
        v1 = input1;
        break;
    case 5:
        v0 = floor(input1);
        c0 = true;
        break;
    case 6:
        v0 = ceil(input1) - trunc(input1);
        c0 = true;
        break;
    case 7:
        v0 = roundEven(input1);
        c0 = true;
        break;
    default:
        v0 = fract(input1);
        c0 = true;
        break;
    }
    if (!c0) {
        v0 = v1 + 1.0;
    }
    color0 = v0;
}
