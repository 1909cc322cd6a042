// refused: 7: no place left for the output `fourth`
struct Output {
    @builtin(position) position: vec4f,
    @location(0) first: vec4f,
    @location(1) second: vec4f,
    @location(2) third: vec4f,
    @location(4) fourth: vec4f,
}

@vertex
fn main(@location(0) in_position: vec4f) -> Output {
    return Output(in_position, in_position, in_position, in_position, in_position);
}
