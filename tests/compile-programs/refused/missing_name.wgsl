// refused: 9: tint
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@vertex
fn main(@location(0) in_position: vec4f) -> Output {
    return Output(in_position, tint);
}
