// example.shbin #0, for PICA200

diagnostic(off, derivative_uniformity);

struct Uniforms {
    u_size: vec2<f32>,
}

struct FragmentOutput {
    @location(0) fragColor: vec4<f32>,
}

@group(0) @binding(0)
var<uniform> uniforms: Uniforms;
@group(1) @binding(0)
var u_noise: texture_2d<f32>;
@group(1) @binding(1)
var u_noise_sampler: sampler;

fn fromBits(a: u32) -> f32 {
    return bitcast<f32>(a);
}

@fragment
fn main(@builtin(position) gl_FragCoord: vec4<f32>, @builtin(front_facing) gl_FrontFacing: bool, @location(1) framebuffer: vec4<f32>, @location(0) v_uv: vec2<f32>) -> FragmentOutput {
    var table: array<vec2<f32>, 3>;

    let u_size = uniforms.u_size;
    let _e4 = fromBits(2139095040u);
    let odd = vec2<f32>(_e4, 1f);
    table[0] = vec2<f32>(0.5f, 1f);
    table[1] = vec2<f32>(-2f, 0.25f);
    table[2] = vec2<f32>(4f, 8f);
    let derivative = dpdx(v_uv.x);
    let derivative_1 = dpdy(v_uv.y);
    let derivative_2 = fwidth(v_uv.x);
    let texel = textureSampleLevel(u_noise, u_noise_sampler, ((gl_FragCoord.xy / u_size) + (table[i32(v_uv.x)] + table[2])), (derivative + (derivative_1 + derivative_2)));
    var noise = texel;
    if gl_FrontFacing {
        noise.x = (atan(v_uv.x) + atan2(v_uv.y, v_uv.x)) + f32(gl_FrontFacing);
    } else {
        let _e56 = min(odd, vec2<f32>(1f, 2f));
        noise.y = _e56.x;
        noise.z = _e56.y;
    }
    let fragColor = mix(framebuffer, noise, vec4(0.75f));
    return FragmentOutput(fragColor);
}
