#version 450
// example.shbin #0, for PICA200

uniform mat4 u_projection;
uniform mat4 u_bones[8];

uniform sampler2D u_height;

layout(location = 0) in vec4 a_position;
layout(location = 1) in float a_bone;
layout(location = 2) in vec2 a_uv;
layout(location = 4) in mat3 a_frame;

layout(location = 1) out vec2 v_uv;
layout(location = 1, component = 2) out float v_fog;
layout(location = 2) out vec3 v_normal;

void main() {
    vec4 p = u_bones[int(a_bone)] * a_position;
    p.y = p.y + textureLod(u_height, a_uv, 0.0).x;
    gl_Position = u_projection * p;
    v_uv = a_uv + u_bones[3][3].xy;
    v_fog = u_projection[int(a_bone)].w;
    v_normal = a_frame * p.xyz;
}
