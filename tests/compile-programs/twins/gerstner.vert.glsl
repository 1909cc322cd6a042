#version 450
// The GLSL twin of programs/gerstner.wgsl, for the oracle.
in vec3 in_position;
uniform mat4 mvp;
uniform vec4 waves[3];
uniform float time;
out vec4 color;
out vec4 normalquat;
void main()
{
    vec3 p = in_position;
    vec2 slope = vec2(0.0);
    for (int i = 0; i < 3; i++) {
        vec4 wave = waves[i];
        float phase = wave.w * dot(wave.xy, in_position.xz) * 0.5 + time;
        float s = sin(phase);
        float c = cos(phase);
        p.x += wave.z * wave.x * c * 0.25;
        p.z += wave.z * wave.y * c * 0.25;
        p.y += wave.z * s * 0.25;
        slope += wave.xy * (wave.z * c * 0.25);
    }
    vec3 n = normalize(vec3(-slope.x, 1.0, -slope.y));
    gl_Position = mvp * vec4(p, 1.0);
    color = vec4(n * 0.5 + 0.5, 1.0);
    normalquat = normalize(vec4(n.y, -n.x, 0.0, 1.25 + n.z));
}
