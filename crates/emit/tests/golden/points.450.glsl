#version 450
// example.shbin #0, for PICA200

uniform sampler2D u_sprite;

layout(location = 0) out vec4 fragColor;

void main() {
    fragColor = texture(u_sprite, gl_PointCoord);
}
