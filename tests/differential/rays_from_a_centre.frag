#version 450
// A loop that was written out: in its first pass nothing is scaled, in its last the factor is the uniform alone.
// has: for (
layout(binding = 0) uniform sampler2D image;
layout(std140, binding = 0) uniform Blur { float width; float strength; vec2 centre; };
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main() {
    vec4 sum = vec4(0.0);
    vec2 away = place - centre;
    for (int i = 0; i < 24; i++) {
        float factor = 1.0 - width * (float(i) / float(24 - 1));
        sum += texture(image, away * factor + centre);
    }
    color = sum / 24 * strength;
}
