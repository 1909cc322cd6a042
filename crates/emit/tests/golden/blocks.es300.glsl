#version 300 es
// example.shbin #0, for PICA200

layout(std140) uniform Uniforms {
    vec4 loose;
};

layout(std140) uniform Scale {
    vec3 scale;
    float gain;
    vec4 padding[1];
    float padding_2;
    float padding_3;
    vec2 shift;
    float padding_4;
    int count;
    bool flag;
    float padding_5;
    vec4 padding_6[1];
    float padding_7;
    float padding_8;
    float padding_9;
    float tint;
    float weights[5];
};

layout(std140) uniform Bones {
    mat4x3 bones[3];
    mat4 view;
    layout(row_major) mat4x3 rows;
};

layout(std140) uniform Material_2 {
    vec4 padding_10[1];
    vec4 Material[16];
};

struct Lights_2 {
    int kind;
    vec3 place;
    float width;
    vec4 padding_11[1];
};

layout(std140) uniform Lights {
    vec4 padding_12[2];
    Lights_2 lights[3];
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
