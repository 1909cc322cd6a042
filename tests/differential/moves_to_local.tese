#version 460
// A word of a buffer that only moves into a local array of floats, and a member that only moves to an output of integers.
// lacks: floatBitsTo
// lacks: BitsToFloat
layout(triangles) in;
layout(std430, binding = 0) readonly buffer In { float d0[]; };
layout(std140, binding = 0) uniform Block { ivec4 first; ivec4 second; };
layout(location = 0) out float o0;
layout(location = 1) flat out ivec3 o1;

void main() {
    float a[3] = float[3](float(gl_PrimitiveID), d0[gl_PrimitiveID & 3], cos(gl_TessCoord.x));
    gl_Position = gl_in[0].gl_Position;
    o0 = a[(gl_PrimitiveID + 1) % 3] * 2.0;
    o1 = ivec3(first.x + 1, second.yz);
}
