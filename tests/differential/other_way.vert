#version 460
// A register that holds an integer on a way on which the float that it becomes is not asked for.
// lacks: floatBitsTo
// lacks: BitsToFloat
layout(location = 0) in vec4 i0;
layout(location = 0) flat out float o0;
layout(std140, binding = 0) uniform Block { uvec4 number; };

void main() {
    uint v = number.x * 5u;
    gl_Position = i0;
    o0 = ((~v) <= 65535u * v) ? i0.x * i0.y - step(0.25, i0.z) : exp2(i0.w);
}
