// example.shbin #0, for PICA200

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) color: vec4<f32>,
}

@vertex
fn main(@location(0) a: vec4<f32>, @location(1) b: vec4<f32>) -> VertexOutput {
    var blend = ((((((((a + (a * b.wwww)) + (b * a.wwww)) + (a * b.wwww)) + (b * a.wwww)) + (a * b.wwww)) + (b * a.wwww)) + (a * b.wwww)) + (b * a.wwww)) + (a * b.wwww);
    let corners = vec4<f32>(max(((a.x * 0.123456f) + 1000.25f), ((a.x * 0.123456f) + 1000.25f)), max(((b.x * 0.123456f) + 1000.25f), ((a.x * 0.123456f) + 1000.25f)), max(((a.x * 0.123456f) + 1000.25f), ((a.x * 0.123456f) + 1000.25f)), max(((b.x * 0.123456f) + 1000.25f), ((a.x * 0.123456f) + 1000.25f)));
    if ((((((((a.x * 0.123456f) + 1000.25f) < ((b.x * 0.123456f) + 1000.25f)) && (((a.x * 0.123456f) + 1000.25f) < 10f)) && (((b.x * 0.123456f) + 1000.25f) < 10f)) && (((a.x * 0.123456f) + 1000.25f) < 10f)) && (((b.x * 0.123456f) + 1000.25f) < 10f)) && (((a.x * 0.123456f) + 1000.25f) < 10f)) {
        blend = corners;
    }
    let picked = select((((b.x * 0.123456f) + 1000.25f) * ((a.x * 0.123456f) + 1000.25f)), select(((b.x * 0.123456f) + 1000.25f), ((a.x * 0.123456f) + 1000.25f), (((b.x * 0.123456f) + 1000.25f) < 2f)), (((a.x * 0.123456f) + 1000.25f) < ((b.x * 0.123456f) + 1000.25f)));
    let distance_ = sqrt((((((a.x * 0.123456f) + 1000.25f) * ((a.x * 0.123456f) + 1000.25f)) + (((b.x * 0.123456f) + 1000.25f) * ((b.x * 0.123456f) + 1000.25f))) + (((a.x * 0.123456f) + 1000.25f) * ((b.x * 0.123456f) + 1000.25f))));
    let color = blend + vec4<f32>(picked, distance_, 0f, 1f);
    return VertexOutput(a, color);
}
