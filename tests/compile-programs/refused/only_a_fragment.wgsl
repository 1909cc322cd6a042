// refused: 2: vertex
@fragment
fn main(@location(0) color: vec4f) -> @location(0) vec4f {
    return color;
}
