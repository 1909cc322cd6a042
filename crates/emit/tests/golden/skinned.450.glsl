#version 450
// example.shbin #0, for PICA200

uniform mat4 u_projection;
uniform mat4 u_bones[8];

uniform sampler2D u_height;

in vec4 a_position;
in float a_bone;
in vec2 a_uv;
in mat3 a_frame;

out vec2 v_uv;
out float v_fog;
out vec3 v_normal;

void main() {
    vec4 p = u_bones[int(a_bone)] * a_position;
    p.y += textureLod(u_height, a_uv, 0.0).x;
    gl_Position = u_projection * p;
    v_uv = a_uv + u_bones[3][3].xy;
    v_fog = u_projection[int(a_bone)].w;
    v_normal = a_frame * p.xyz;
}
