// refused: 7: texture
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@group(0) @binding(0) var heights: texture_2d<f32>;

@vertex
fn main(@location(0) in_position: vec4f) -> Output {
    let texel = textureLoad(heights, vec2<i32>(0, 0), 0);
    return Output(in_position, texel);
}
