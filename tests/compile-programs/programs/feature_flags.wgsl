// Switches as u32 uniforms compared with zero, since WGSL has no bool in uniforms.
// range: use_fog 0 1 integer
// range: use_tint 0 1 integer
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@group(0) @binding(0) var<uniform> mvp: mat4x4f;
@group(0) @binding(1) var<uniform> use_fog: u32;
@group(0) @binding(2) var<uniform> use_tint: u32;
@group(0) @binding(3) var<uniform> fog_color: vec4f;
@group(0) @binding(4) var<uniform> tint: vec4f;

@vertex
fn main(@location(0) in_position: vec4f, @location(1) in_color: vec4f) -> Output {
    let clip = mvp * in_position;
    var color = in_color;
    if use_tint != 0u {
        color *= tint;
    }
    if use_fog != 0u {
        let amount = saturate(clip.w * 0.03125);
        color = mix(color, fog_color, amount);
    } else {
        color.a = 1.0;
    }
    return Output(clip, color);
}
