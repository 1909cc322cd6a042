// example.shbin #0, for PICA200

diagnostic(off, derivative_uniformity);

struct Uniforms {
    u_count: i32,
    u_on: vec3<u32>,
}

struct FragmentOutput {
    @location(0) fragColor: vec4<f32>,
}

@group(0) @binding(0)
var<uniform> uniforms: Uniforms;
@group(1) @binding(8)
var u_video: texture_2d<f32>;
@group(1) @binding(9)
var u_video_sampler: sampler;
@group(1) @binding(4)
var u_planes_2: texture_2d<f32>;
@group(1) @binding(5)
var u_planes_2_sampler: sampler;

@fragment
fn main(@location(0) v_uv: vec2<f32>) -> FragmentOutput {
    var fragColor: vec4<f32>;

    let u_count = uniforms.u_count;
    let u_on = uniforms.u_on != vec3(0u);
    let texel = textureSample(u_planes_2, u_planes_2_sampler, v_uv);
    var sum = texel;
    for (var i = 0i; i < u_count; i = i + 1i) {
        sum = sum * f32(i);
    }
    if u_on.z {
        let texel_1 = textureSample(u_video, u_video_sampler, v_uv);
        fragColor = sum + texel_1;
    }
    return FragmentOutput(fragColor);
}
