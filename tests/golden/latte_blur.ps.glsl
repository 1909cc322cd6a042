#version 330
// latte_blur.ps.bin: fragment program, latte
// Assumed:
// - no number is so small that the machine takes it for zero

layout(std140) uniform cb0 {
    vec4 cb0_data[1];
};

uniform sampler2D s;

in vec4 param0;

layout(location = 0) out vec4 color0;

void main() {
    vec2 v0 = vec2(-cb0_data[0].x, cb0_data[0].y) * 3.0 + param0.xy;
    vec4 texel = texture(s, param0.xy + cb0_data[0].xy);
    vec4 texel2 = texture(s, param0.xy - cb0_data[0].xy);
    vec4 texel3 = texture(s, cb0_data[0].xy * 2.0 + param0.xy);
    vec4 texel4 = texture(s, -cb0_data[0].xy * 2.0 + param0.xy);
    vec4 texel5 = texture(s, vec2(cb0_data[0].x * 3.0 + param0.x, v0.y));
    vec4 texel6 = texture(s, vec2(v0.x, -cb0_data[0].y * 3.0 + param0.y));
    vec4 texel7 = texture(s, cb0_data[0].xy * 4.0 + param0.xy);
    vec4 texel8 = texture(s, param0.xy);
    vec4 v1 = vec4(-cb0_data[0].xy, texel.xy) * vec4(4.0, 4.0, 0.194, 0.194);
    vec4 v2 = vec4(texel8.z, texel.w, texel8.xy) * vec4(0.227, 0.194, 0.227, 0.227);
    vec3 v3 = v2.xzw + vec3(texel.z * 0.194, v1.zw);
    vec4 v4 = vec4(texel7.x, texel6.w, texel7.yz) * vec4(0.016, 0.054, 0.016, 0.016)
        + (vec4(texel6.yzx, texel5.w) * 0.054
            + (vec4(texel4.w, texel5.xyz) * vec4(0.121, 0.054, 0.054, 0.054)
                + (vec4(texel4.yx, texel3.w, texel4.z) * 0.121
                    + (vec4(texel3.xyz, texel2.w) * vec4(0.121, 0.121, 0.121, 0.194)
                        + (vec4(texel2.x, texel8.w, texel2.yz) * vec4(0.194, 0.227, 0.194, 0.194)
                            + vec4(v3.y, v2.y, v3.zx)).xzwy).yxwz).zyxw).zwyx).zwxy;
    color0 = texture(s, v1.xy + param0.xy) * 0.016 + vec4(v4.xzw, texel7.w * 0.016 + v4.y);
}
