#version 450
// maxwell_v02_skin.vert.dksh#0/vertex: vertex program, maxwell
// Assumed: addresses stay inside of what they address; no number is so small that the machine takes
// it for zero; a product may be rounded before something is added to it; indices of relative
// addressing stay inside what they address; the terms of a dot product may be added in any order.

layout(std140, binding = 0) uniform block0 {
    mat3x4 transforms[1365];
};

layout(std140, binding = 1) uniform block1 {
    mat4 transform;
};

layout(location = 0) in vec3 position;
layout(location = 1) in ivec4 attribute1;
layout(location = 2) in vec4 attribute2;
layout(location = 3) in vec3 normal;

layout(location = 0) out vec3 varying0;

void main() {
    vec4 positionValue = vec4(position, 1.0);
    varying0 = attribute2.y * (normal * mat3(transforms[attribute1.y]))
        + attribute2.x * (normal * mat3(transforms[attribute1.x]))
        + attribute2.z * (normal * mat3(transforms[attribute1.z]))
        + attribute2.w * (normal * mat3(transforms[attribute1.w]));
    gl_Position = transform * vec4(
        attribute2.y * (positionValue * transforms[attribute1.y])
            + attribute2.x * (positionValue * transforms[attribute1.x])
            + attribute2.z * (positionValue * transforms[attribute1.z])
            + attribute2.w * (positionValue * transforms[attribute1.w]),
        1.0
    );
}
