#version 450
// example.shbin #0, for PICA200

uniform int u_count;
uniform bvec3 u_on;

// In OpenGL ES u_video is an external image (samplerExternalOES).
uniform sampler2D u_video;
uniform sampler2D u_planes[3];

in vec2 v_uv;

layout(location = 0) out vec4 fragColor;

void main() {
    fragColor = vec4(0.0);
    vec4 sum = texture(u_planes[2], v_uv);
    for (int i = 0; i < u_count; i++) {
        sum *= float(i);
    }
    if (u_on.z) {
        fragColor = sum + texture(u_video, v_uv);
    }
}
