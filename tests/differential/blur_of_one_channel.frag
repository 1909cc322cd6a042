#version 460
// A target of one component: the sum without its last term stays in the register behind it.
// has: for (int i
// has: for (int j
layout(binding = 0) uniform sampler2D shade;
layout(location = 0) in vec2 uv;
layout(location = 0) out float blurred;

void main() {
    vec2 pixel = 1.0 / vec2(textureSize(shade, 0));
    float total = 0.0;
    for (int x = -2; x <= 2; x++) {
        for (int y = -2; y <= 2; y++) {
            total += texture(shade, uv + vec2(x, y) * pixel).r;
        }
    }
    blurred = total * 0.04;
}
