// refused: 7: storage
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@group(0) @binding(0) var<storage, read> places: array<vec4f>;

@vertex
fn main(@location(0) in_position: vec4f) -> Output {
    return Output(in_position + places[0], vec4f(1.0));
}
