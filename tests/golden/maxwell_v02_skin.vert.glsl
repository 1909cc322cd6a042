#version 450
// maxwell_v02_skin.vert.dksh#0/vertex: vertex program, maxwell
// Assumed:
// - no number is so small that the machine takes it for zero
// - a product may be rounded before something is added to it

layout(std140, binding = 0) uniform block0 {
    vec4 block0_values[4096];
};

layout(std140, binding = 1) uniform block1 {
    vec4 block1_values[4];
};

layout(location = 0) in vec3 attribute0;
layout(location = 1) in ivec4 attribute1;
layout(location = 2) in vec4 attribute2;
layout(location = 3) in vec3 attribute3;

layout(location = 0) out vec3 output0;

void main() {
    int n0 = attribute1.x * 3;
    float f0 = block0_values[n0].x;
    float f1 = block0_values[n0].y;
    float f2 = block0_values[n0].z;
    float f3 = block0_values[n0 + 1].x;
    float f4 = block0_values[n0 + 1].y;
    float f5 = block0_values[n0 + 1].z;
    float f6 = block0_values[n0 + 2].x;
    float f7 = block0_values[n0 + 2].y;
    float f8 = block0_values[n0 + 2].z;
    int n1 = attribute1.y * 3;
    float f9 = block0_values[n1].x;
    float f10 = block0_values[n1].y;
    float f11 = block0_values[n1].z;
    float f12 = block0_values[n1 + 1].x;
    float f13 = block0_values[n1 + 1].y;
    float f14 = block0_values[n1 + 1].z;
    float f15 = block0_values[n1 + 2].x;
    float f16 = block0_values[n1 + 2].y;
    float f17 = block0_values[n1 + 2].z;
    float f18 = attribute2.y
        * (attribute0.y * f10 + attribute0.x * f9 + attribute0.z * f11 + block0_values[n1].w)
        + attribute2.x
            * (attribute0.y * f1 + attribute0.x * f0 + attribute0.z * f2 + block0_values[n0].w);
    float f19 = attribute2.y
        * (attribute0.y * f13 + attribute0.x * f12 + attribute0.z * f14 + block0_values[n1 + 1].w)
        + attribute2.x
            * (attribute0.y * f4 + attribute0.x * f3 + attribute0.z * f5 + block0_values[n0 + 1].w);
    float f20 = attribute2.y
        * (attribute0.y * f16 + attribute0.x * f15 + attribute0.z * f17 + block0_values[n1 + 2].w)
        + attribute2.x
            * (attribute0.y * f7 + attribute0.x * f6 + attribute0.z * f8 + block0_values[n0 + 2].w);
    int n2 = attribute1.z * 3;
    float f21 = block0_values[n2].x;
    float f22 = block0_values[n2].y;
    float f23 = block0_values[n2].z;
    float f24 = block0_values[n2 + 1].x;
    float f25 = block0_values[n2 + 1].y;
    float f26 = block0_values[n2 + 1].z;
    float f27 = block0_values[n2 + 2].x;
    float f28 = block0_values[n2 + 2].y;
    float f29 = block0_values[n2 + 2].z;
    float f30 = attribute2.y * (attribute3.y * f10 + attribute3.x * f9 + attribute3.z * f11)
        + attribute2.x * (attribute3.y * f1 + attribute3.x * f0 + attribute3.z * f2)
        + attribute2.z * (attribute3.y * f22 + attribute3.x * f21 + attribute3.z * f23);
    float f31 = attribute2.y * (attribute3.y * f13 + attribute3.x * f12 + attribute3.z * f14)
        + attribute2.x * (attribute3.y * f4 + attribute3.x * f3 + attribute3.z * f5)
        + attribute2.z * (attribute3.y * f25 + attribute3.x * f24 + attribute3.z * f26);
    float f32 = attribute2.y * (attribute3.y * f16 + attribute3.x * f15 + attribute3.z * f17)
        + attribute2.x * (attribute3.y * f7 + attribute3.x * f6 + attribute3.z * f8)
        + attribute2.z * (attribute3.y * f28 + attribute3.x * f27 + attribute3.z * f29);
    int n3 = attribute1.w * 3;
    float f33 = block0_values[n3].x;
    float f34 = block0_values[n3].y;
    float f35 = block0_values[n3].z;
    float f36 = block0_values[n3 + 1].x;
    float f37 = block0_values[n3 + 1].y;
    float f38 = block0_values[n3 + 1].z;
    float f39 = block0_values[n3 + 2].x;
    float f40 = block0_values[n3 + 2].y;
    float f41 = block0_values[n3 + 2].z;
    float f42 = attribute2.z
        * (attribute0.y * f22 + attribute0.x * f21 + attribute0.z * f23 + block0_values[n2].w)
        + f18
        + attribute2.w
            * (attribute0.y * f34 + attribute0.x * f33 + attribute0.z * f35 + block0_values[n3].w);
    float f43 = attribute2.z
        * (attribute0.y * f25 + attribute0.x * f24 + attribute0.z * f26 + block0_values[n2 + 1].w)
        + f19
        + attribute2.w
            * (attribute0.y * f37
                + attribute0.x * f36
                + attribute0.z * f38
                + block0_values[n3 + 1].w);
    f20 = attribute2.z
        * (attribute0.y * f28 + attribute0.x * f27 + attribute0.z * f29 + block0_values[n2 + 2].w)
        + f20
        + attribute2.w
            * (attribute0.y * f40
                + attribute0.x * f39
                + attribute0.z * f41
                + block0_values[n3 + 2].w);
    output0 = vec3(
        attribute2.w * (attribute3.y * f34 + attribute3.x * f33 + attribute3.z * f35) + f30,
        attribute2.w * (attribute3.y * f37 + attribute3.x * f36 + attribute3.z * f38) + f31,
        attribute2.w * (attribute3.y * f40 + attribute3.x * f39 + attribute3.z * f41) + f32
    );
    gl_Position = f43 * block1_values[1]
        + f42 * block1_values[0]
        + f20 * block1_values[2]
        + block1_values[3];
}
