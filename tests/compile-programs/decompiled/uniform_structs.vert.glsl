#version 450
// Assumed: the terms of a dot product may be added in any order; no product of zero with an
// infinity or NaN is formed; the sign of a zero does not matter, and no NaN is compared.

layout(std140, binding = 0, row_major) uniform Uniforms {
    mat4 mvp;
    vec4 lights[9];
    vec4 material_diffuse;
    vec4 material_emission;
};

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;

layout(location = 0) out vec4 color;

void main() {
    vec3 colorValue = material_diffuse.xyz
        * (lights[8].x * max(0.0, dot(lights[6].xyz, inNormal.xyz)) * lights[7].xyz
            + (lights[2].x * max(0.0, dot(lights[0].xyz, inNormal.xyz)) * lights[1].xyz
                + lights[4].xyz * (lights[5].x * max(0.0, dot(lights[3].xyz, inNormal.xyz)))));
    color = vec4(material_emission.xyz + colorValue * 0.125, material_diffuse.w);
    gl_Position = mvp * vec4(inPosition.xyz, 1.0);
}
