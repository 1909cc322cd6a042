#version 450
// maxwell_k05_mat_ubo.comp.dksh#0/compute: compute program, maxwell
// Assumed:
// - addresses stay inside of what they address
// - no number is so small that the machine takes it for zero
// - a product may be rounded before something is added to it

layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

layout(std140, binding = 0) uniform block0 {
    vec4 block0_values[4096];
};

layout(std430, binding = 0) buffer Buffer0 {
    float buffer0[];
};

void main() {
    int n0 = (((int(gl_WorkGroupID.z) << 2) + int(gl_LocalInvocationID.z))
        * floatBitsToInt(block0_values[4].y)
        + ((int(gl_WorkGroupID.y) << 2) + int(gl_LocalInvocationID.y)))
        * floatBitsToInt(block0_values[4].x)
        + ((int(gl_WorkGroupID.x) << 2) + int(gl_LocalInvocationID.x));
    if (floatBitsToInt(block0_values[4].w) > n0) {
        int n1 = n0 % 100;
        float f0 = block0_values[n1 + 5].x;
        float f1 = block0_values[n1 + 5].y;
        float f2 = block0_values[n1 + 5].z;
        float f3 = block0_values[n1 + 5].w;
        buffer0[n0 * 4] = f1 * block0_values[1].x
            + f0 * block0_values[0].x
            + f2 * block0_values[2].x
            + f3 * block0_values[3].x
            + float(gl_NumWorkGroups.x);
        buffer0[n0 * 4 + 1] = f1 * block0_values[1].y
            + f0 * block0_values[0].y
            + f2 * block0_values[2].y
            + f3 * block0_values[3].y
            + float(gl_NumWorkGroups.y);
        buffer0[n0 * 4 + 2] = f1 * block0_values[1].z
            + f0 * block0_values[0].z
            + f2 * block0_values[2].z
            + f3 * block0_values[3].z
            + float(gl_NumWorkGroups.z);
        buffer0[n0 * 4 + 3] = f1 * block0_values[1].w
            + f0 * block0_values[0].w
            + f2 * block0_values[2].w
            + f3 * block0_values[3].w
            + 1.0;
        buffer0[n0 * 4] += float(n0 / 3
            + (int(-(float(n0) / float(floatBitsToInt(block0_values[4].z))))
                * floatBitsToInt(block0_values[4].z)
                + n0));
    }
}
