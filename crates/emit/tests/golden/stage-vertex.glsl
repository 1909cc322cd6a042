#version 450

#extension GL_ARB_shader_draw_parameters : require

layout(std430, binding = 0) readonly buffer offsets {
    vec4 offsets_values[];
};

layout(location = 8) in uvec2 attribute_;

layout(location = 8) flat out uvec2 ids;

void main() {
    ids = attribute_;
    gl_Position = offsets_values[gl_VertexID]
        + (float(gl_VertexID)
            + float(gl_InstanceID)
            + float(gl_BaseVertexARB)
            + float(gl_BaseInstanceARB)
            + float(gl_DrawIDARB));
}
