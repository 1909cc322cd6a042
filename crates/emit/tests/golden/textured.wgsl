// example.shbin #0, for PICA200

diagnostic(off, derivative_uniformity);

struct Uniforms {
    u_tint: vec4<f32>,
    u_bias: f32,
}

struct FragmentOutput {
    @location(0) fragColor: vec4<f32>,
}

@group(0) @binding(0)
var<uniform> uniforms: Uniforms;
@group(1) @binding(0)
var u_diffuse: texture_2d<f32>;
@group(1) @binding(1)
var u_diffuse_sampler: sampler;
@group(1) @binding(2)
var u_sky: texture_cube<f32>;
@group(1) @binding(3)
var u_sky_sampler: sampler;

@fragment
fn main(@location(0) v_uv: vec2<f32>, @location(3) v_fog: f32, @location(1) v_normal: vec3<f32>, @location(2) v_shadow: vec4<f32>) -> FragmentOutput {
    let u_tint = uniforms.u_tint;
    let u_bias = uniforms.u_bias;
    let texel = textureSample(u_diffuse, u_diffuse_sampler, v_uv);
    var base = texel * u_tint;
    if (base.w < 0.5f) {
        discard;
    }
    let texel_1 = textureSample(u_sky, u_sky_sampler, normalize(v_normal));
    if (0f < v_fog) {
        let texel_2 = textureSampleBias(u_diffuse, u_diffuse_sampler, v_uv, u_bias);
        base = base + texel_2;
    }
    let texel_3 = textureSample(u_diffuse, u_diffuse_sampler, (v_shadow.xy / vec2(v_shadow.w)));
    let fragColor = mix(base, texel_1, vec4(v_fog)) * texel_3;
    return FragmentOutput(fragColor);
}
