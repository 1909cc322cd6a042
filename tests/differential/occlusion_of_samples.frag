#version 450
// A loop that was written out, with a choice in each pass.
// has: for (
layout(binding = 0) uniform sampler2D depths;
layout(std140, binding = 0) uniform Kernel { vec4 samples[24]; };
layout(std140, binding = 1) uniform Camera { mat4 projection; };
layout(location = 0) in vec3 place;
layout(location = 0) out vec4 color;
void main() {
    float hidden = 0.0;
    for (int i = 0; i < 24; i++) {
        vec3 at = place + samples[i].xyz * 0.5;
        vec4 there = projection * vec4(at, 1.0);
        float depth = texture(depths, there.xy / there.w * 0.5 + 0.5).x;
        float near = smoothstep(0.0, 1.0, 0.5 / abs(place.z - depth));
        hidden += (depth >= at.z + 0.025 ? 1.0 : 0.0) * near;
    }
    color = vec4(1.0 - hidden / 24.0);
}
