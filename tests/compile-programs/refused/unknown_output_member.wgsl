// refused: 4: brightness
struct Output {
    @builtin(position) position: vec4f,
    @location(0) brightness: vec4f,
}

@vertex
fn main(@location(0) in_position: vec4f) -> Output {
    return Output(in_position, in_position);
}
