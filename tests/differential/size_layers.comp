#version 460
// The kind of a sampler that is only asked for its size.
// lacks: ivec4(textureSize(
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Out { int d0[]; };
layout(binding = 1) uniform isampler2DMSArray t1;
layout(binding = 2) uniform sampler1DArray t2;

void main() {
    d0[gl_GlobalInvocationID.x] = textureSize(t1).z * 256 + textureSize(t2, 0).y;
}
