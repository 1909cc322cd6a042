#version 460
// Behind local memory nothing is read: interpreter and strict source agree there.
layout(triangles_adjacency) in;
layout(points, max_vertices = 1) out;
layout(std140, binding = 0) uniform B0 { float u0b; };

void main() {
    uint a1[5] = uint[5](1u, 1u, 1u, 1u, 1u);
    if (u0b < 0.5) {
        a1[gl_PrimitiveIDIn] = 3u;
    }
    gl_Position = vec4(vec3(1.0), float(a1[gl_PrimitiveIDIn] & 15u));
    EmitVertex();
}
