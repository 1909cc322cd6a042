// example.shbin #0, for PICA200

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
}

@vertex
fn main(@location(0) a_position: vec4<f32>) -> VertexOutput {
    let position = vec4<f32>(frexp(a_position.x).fract, (frexp(a_position.yz).fract * vec2<f32>(frexp(a_position.yz).exp)), f32(frexp(a_position.x).exp));
    return VertexOutput(position);
}
