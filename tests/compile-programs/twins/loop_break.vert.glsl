#version 450
// The GLSL twin of programs/loop_break.wgsl, for the oracle.
in vec3 in_position;
in float in_limit;
uniform mat4 mvp;
uniform vec4 stairs[8];
out vec4 color;
void main()
{
    float height = 0.0;
    float taken = 0.0;
    for (int i = 0; i < 8; i++) {
        if (stairs[i].w < -1.003) continue;
        if (height > in_limit + 0.003) break;
        height += abs(stairs[i].x);
        taken += 1.0;
    }
    gl_Position = mvp * vec4(in_position.x, in_position.y + height, in_position.z, 1.0);
    color = vec4(height * 0.125, taken * 0.125, 0.0, 1.0);
}
