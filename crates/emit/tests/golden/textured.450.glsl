#version 450
// example.shbin #0, for PICA200

uniform vec4 u_tint;
uniform float u_bias;

uniform sampler2D u_diffuse;
uniform samplerCube u_sky;

in vec2 v_uv;
in float v_fog;
in vec3 v_normal;
in vec4 v_shadow;

layout(location = 0) out vec4 fragColor;

void main() {
    vec4 base = texture(u_diffuse, v_uv) * u_tint;
    if (base.w < 0.5) {
        discard;
    }
    vec4 sky = texture(u_sky, normalize(v_normal));
    if (0.0 < v_fog) {
        base += texture(u_diffuse, v_uv, u_bias);
    }
    fragColor = mix(base, sky, v_fog) * textureProj(u_diffuse, v_shadow);
}
