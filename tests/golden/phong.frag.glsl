#version 100
// phong.frag.mbs#frag: fragment program, mali-pp
// Assumed: the terms of a dot product may be added in any order; the sign of a zero does not
// matter, and no NaN is compared; vectors that are normalized are not zero; powers are taken of
// positive numbers.

precision mediump float;

uniform vec3 u_l;
uniform vec4 u_spec;

uniform sampler2D u_t;

varying vec3 v_n;
varying vec3 v_e;
varying vec2 v_uv;

void main() {
    vec3 direction = normalize(v_n);
    vec4 colorValue = texture2D(u_t, v_uv) * max(dot(u_l, direction), 0.0);
    gl_FragColor = vec4(
        colorValue.xyz
            + u_spec.xyz * pow(max(dot(reflect(-u_l, direction), normalize(v_e)), 0.0), u_spec.w),
        colorValue.w
    );
}
