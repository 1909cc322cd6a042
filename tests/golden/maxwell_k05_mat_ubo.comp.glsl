#version 450
// maxwell_k05_mat_ubo.comp.dksh#0/compute: compute program, maxwell
// Assumed: addresses stay inside of what they address; no number is so small that the machine takes
// it for zero; a product may be rounded before something is added to it; the terms of a dot product
// may be added in any order; a dynamic index stays inside of the array it starts in.

layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

layout(std140, binding = 0) uniform block0 {
    mat4 matrix0;
    ivec4 index;
    vec4 block0_values5[4091];
};

layout(std430, binding = 0) buffer Buffer0 {
    vec4 buffer0[];
};

void main() {
    int indexValue = (int(gl_GlobalInvocationID.z) * index.y + int(gl_GlobalInvocationID.y))
        * index.x
        + int(gl_GlobalInvocationID.x);
    if (indexValue < index.w) {
        buffer0[indexValue] = matrix0 * block0_values5[indexValue % 100]
            + vec4(vec3(gl_NumWorkGroups), 1.0);
        buffer0[indexValue].x += float(indexValue / 3
            + (int(-(float(indexValue) / float(index.z))) * index.z + indexValue));
    }
}
