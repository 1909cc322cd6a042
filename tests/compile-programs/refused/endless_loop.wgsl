// refused: 10: loop
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@vertex
fn main(@location(0) in_position: vec4f) -> Output {
    var x = abs(in_position.x);
    loop {
        if x < 0.125 {
            break;
        }
        x *= 0.5;
    }
    return Output(in_position, vec4f(x));
}
