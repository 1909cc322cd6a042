#version 450
// example.shbin #0, for PICA200

layout(std140, binding = 0) uniform Uniforms {
    vec4 loose;
};

layout(std140, binding = 1) uniform Scale {
    vec3 scale;
    float gain;
    layout(offset = 40) vec2 shift;
    layout(offset = 52) int count;
    bool flag;
    layout(offset = 92) float tint;
    float weights[5];
};

layout(std140, binding = 2) uniform Bones {
    mat4x3 bones[3];
    mat4 view;
    layout(row_major) mat4x3 rows;
};

layout(std140, binding = 5) uniform Material_2 {
    layout(offset = 16) vec4 Material[16];
};

struct Lights_2 {
    int kind;
    vec3 place;
    float width;
    vec4 padding[1];
};

layout(std140, binding = 6) uniform Lights {
    layout(offset = 32) Lights_2 lights[3];
    vec4 ambient;
};

layout(location = 0) in vec4 a_position;

void main() {
    gl_Position = (flag
        ? vec4(scale, gain) * vec4(tint)
        : vec4(shift, float(count), weights[int(a_position.x)]))
        + vec4(bones[int(a_position.x)][1], 1.0)
        + (view[2] + vec4(rows * a_position, 0.0))
        + Material[int(a_position.x)]
        + loose
        + vec4(
            lights[int(a_position.x)].place * vec3(float(lights[int(a_position.x)].kind)),
            lights[2].width
        ) + ambient;
}
