#version 450
// example.shbin #0, for PICA200

layout(std140, binding = 0) uniform Uniforms {
    float sample_;
    vec2 fog_range;
    vec3 eye;
    float exposure;
    vec3 palette[4];
    ivec4 steps;
    int limits[2];
    bool fogOn;
    bool flags[3];
};

layout(location = 0) in vec3 _gl_Vertex;
layout(location = 3) in float scale;

layout(location = 1) out vec4 color;
layout(location = 2) out vec2 texcoord0;
layout(location = 2, component = 2) out vec2 texcoord1;
layout(location = 0) out vec3 view;

const float weights[3] = float[](
    1.0,
    0.5,
    1.0 / 0.0
);

void main() {
    color = vec4(0.0);
    int texture_ = int(scale);
    color.xyz = palette[texture_] + eye * exposure;
    if (fogOn && flags[2]) {
        color.w = sample_;
    }
    texcoord0 = fog_range;
    texcoord1 = vec2(float(steps.y), float(limits[1]));
    view = _gl_Vertex * weights[texture_];
    gl_Position = vec4(_gl_Vertex, 1.0);
}
