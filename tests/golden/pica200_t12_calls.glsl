#version 450
// pica200_t12_calls.shbin#0: vertex program, pica200
// Assumed:
// - no product of zero with an infinity or NaN is formed

layout(std140, binding = 0, row_major) uniform Uniforms {
    vec4 u;
    bool b;
};

layout(location = 0) in vec4 v;

void main() {
    vec4 position_value = u * (u + (u + u));
    if (b) {
        position_value *= v;
        position_value += u;
    } else {
        position_value += u;
    }
    gl_Position = position_value;
}
