#version 450
in vec4 inPosition;
uniform sampler2D picture;
uniform mat4 mvp;
out vec4 colour;
void main() {
    gl_Position = mvp * inPosition;
    colour = texture(picture, inPosition.xy);
}
