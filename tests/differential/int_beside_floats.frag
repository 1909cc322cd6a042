#version 460
// An output of one int, beside which registers hold floats that are no outputs.
// has: out i
// lacks: BitsTo
// lacks: floatBits
layout(std140, binding = 1) uniform Block { vec4 u0; float limit; };
layout(location = 1) in vec3 i1;
layout(location = 0) out int o0;

void main() {
    o0 = int(mix(i1.x, 1.0, clamp(limit, 0.0, 1.0)) * 4.0 + 8.0371);
}
