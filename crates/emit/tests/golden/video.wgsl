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
var u_planes_2_: texture_2d<f32>;
@group(1) @binding(5) 
var u_planes_2_sampler: sampler;

@fragment 
fn main(@location(0) v_uv: vec2<f32>) -> FragmentOutput {
    var fragColor: vec4<f32>;
    var sum: vec4<f32>;
    var i: i32;

    let u_count = uniforms.u_count;
    let _e4 = uniforms.u_on;
    let u_on = (_e4 != vec3(0u));
    let texel = textureSample(u_planes_2_, u_planes_2_sampler, v_uv);
    sum = texel;
    i = 0i;
    loop {
        let _e16 = i;
        if !((_e16 < u_count)) {
            break;
        }
        let _e19 = sum;
        let _e20 = i;
        sum = (_e19 * f32(_e20));
        continuing {
            let _e23 = i;
            i = (_e23 + 1i);
        }
    }
    if u_on.z {
        let _e27 = sum;
        let texel_1 = textureSample(u_video, u_video_sampler, v_uv);
        fragColor = (_e27 + texel_1);
    }
    let _e33 = fragColor;
    return FragmentOutput(_e33);
}
