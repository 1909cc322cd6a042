#version 450
// example.shbin #0, for PICA200

uniform vec2 u_size;

uniform sampler2D u_noise;

// What the framebuffer holds at this pixel; the machine reads it there.
in vec4 framebuffer;
in vec2 v_uv;

layout(location = 0) out vec4 fragColor;

const vec2 table[3] = vec2[](
    vec2(0.5, 1.0),
    vec2(-2.0, 0.25),
    vec2(4.0, 8.0)
);
const vec2 odd = vec2(1.0 / 0.0, 1.0);

void main() {
    vec4 noise = textureLod(
        u_noise,
        gl_FragCoord.xy / u_size + (table[int(v_uv.x)] + table[2]),
        dFdx(v_uv.x) + (dFdy(v_uv.y) + fwidth(v_uv.x))
    );
    if (gl_FrontFacing) {
        noise.x = atan(v_uv.x) + atan(v_uv.y, v_uv.x) + float(gl_FrontFacing);
    } else {
        noise.yz = min(odd, vec2(1.0, 2.0));
    }
    fragColor = mix(framebuffer, noise, 0.75);
}
