// refused: 6: only be made of constants
#version 450
uniform mat4 projection;
in vec4 inPosition;
in float weight;
const float half_weight = weight * 0.5;
out vec4 color;
void main() {
    gl_Position = projection * inPosition;
    color = vec4(half_weight);
}
