#version 100
// example.shbin #0, for PICA200

precision mediump float;

uniform highp vec4 u_tint;
uniform float u_bias;

uniform sampler2D u_diffuse;
uniform mediump samplerCube u_sky;

varying vec2 v_uv;
varying float v_fog;
varying lowp vec3 v_normal;
varying vec4 v_shadow;

void main() {
    vec4 base = texture2D(u_diffuse, v_uv) * u_tint;
    if (base.w < 0.5) {
        discard;
    }
    vec4 sky = textureCube(u_sky, normalize(v_normal));
    if (0.0 < v_fog) {
        base += texture2D(u_diffuse, v_uv, u_bias);
    }
    gl_FragColor = mix(base, sky, v_fog) * texture2DProj(u_diffuse, v_shadow);
}
