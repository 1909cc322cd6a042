// refused: 11: bit
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@group(0) @binding(0) var<uniform> mask: u32;

@vertex
fn main(@location(0) in_position: vec4f, @location(1) in_flags: f32) -> Output {
    let flags = u32(in_flags) | mask;
    return Output(in_position, vec4f(f32(flags)));
}
