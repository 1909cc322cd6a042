#version 330
in vec3 fragNormal;
in vec2 blah;
uniform sampler2D picture;
out vec4 final;
void main() { final = texture(picture, blah) * fragNormal.z; }
