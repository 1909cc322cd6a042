#version 460
// What the pixel beside needs of a discarded one goes without an extension.
// has: discard;
// lacks: demote
layout(location = 0) in vec4 i0;
layout(location = 0) out vec4 o0;
layout(binding = 0) uniform sampler2D t0;

void main() {
    if (i0.x < 0.25) {
        discard;
    }
    o0 = dFdx(i0 * i0) + texture(t0, i0.xy * 0.7373 + 0.0131);
}
