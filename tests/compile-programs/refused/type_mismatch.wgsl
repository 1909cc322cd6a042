// refused: 9: type
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@vertex
fn main(@location(0) in_position: vec4f, @location(1) in_normal: vec3f) -> Output {
    let sum: vec4f = in_position.xyz + in_normal;
    return Output(in_position, sum);
}
