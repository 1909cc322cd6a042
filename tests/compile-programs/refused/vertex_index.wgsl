// refused: 10: vertex_index
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@vertex
fn main(
    @location(0) in_position: vec4f,
    @builtin(vertex_index) number: u32,
) -> Output {
    return Output(in_position, vec4f(f32(number)));
}
