// The plainest WGSL vertex program: one matrix, colour and texture coordinate passed through.
struct VertexInput {
    @location(0) position: vec3<f32>,
    @location(1) uv: vec2<f32>,
    @location(2) tint: vec4<f32>,
}

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec4<f32>,
    @location(1) texcoord0: vec2<f32>,
}

@group(0) @binding(0) var<uniform> mvp: mat4x4<f32>;

@vertex
fn main(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = mvp * vec4<f32>(input.position, 1.0);
    out.color = input.tint;
    out.texcoord0 = input.uv;
    return out;
}
