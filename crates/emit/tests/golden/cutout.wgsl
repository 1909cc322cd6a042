// example.shbin #0, for PICA200

struct FragmentOutput {
    @location(0) target_: vec4<f32>,
}

@fragment
fn main(@location(0) color: vec4<f32>) -> FragmentOutput {
    if (color.w < 0.5f) {
        discard;
    }
    return FragmentOutput(color);
}
