#version 100
// example.shbin #0, for PICA200
// Assumed: a division by zero gives an infinity, or NaN, which this version of GLSL does not
// promise.

#extension GL_OES_standard_derivatives : enable
#extension GL_EXT_shader_texture_lod : enable

precision mediump float;

uniform vec2 u_size;

uniform sampler2D u_noise;

// What the framebuffer holds at this pixel; the machine reads it there.
varying vec4 framebuffer;
varying vec2 v_uv;

vec2 table[3];
vec2 odd;

void main() {
    table[0] = vec2(0.5, 1.0);
    table[1] = vec2(-2.0, 0.25);
    table[2] = vec2(4.0, 8.0);
    odd = vec2(1.0 / 0.0, 1.0);
    vec4 noise = texture2DLodEXT(
        u_noise,
        gl_FragCoord.xy / u_size + (table[int(v_uv.x)] + table[2]),
        dFdx(v_uv.x) + (dFdy(v_uv.y) + fwidth(v_uv.x))
    );
    if (gl_FrontFacing) {
        noise.x = atan(v_uv.x) + atan(v_uv.y, v_uv.x) + float(gl_FrontFacing);
    } else {
        noise.yz = min(odd, vec2(1.0, 2.0));
    }
    gl_FragColor = mix(framebuffer, noise, 0.75);
}
