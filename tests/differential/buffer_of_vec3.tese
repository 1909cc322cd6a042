#version 460
// Vectors of three in steps of four words.
layout(isolines, equal_spacing) in;
layout(std430, binding = 0) readonly buffer Store { vec3 d0[]; };
layout(location = 0) out vec2 o0;

void main() {
    gl_Position = vec4(trunc(length(d0[gl_PrimitiveID & 7]) - 0.0447));
    o0 = gl_TessCoord.yz;
}
