// example.shbin #0, for PICA200

struct Uniforms {
    bones: array<vec4<f32>, 12>,
    pairs: array<vec4<f32>, 2>,
}

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) layers_0: vec3<f32>,
    @location(2) layers_1: vec3<f32>,
}

@group(0) @binding(0)
var<uniform> uniforms: Uniforms;
var<private> r8: array<u32, 8>;

@vertex
fn main(@location(0) channel_0: vec4<f32>, @location(1) channel_1: vec4<f32>) -> VertexOutput {
    var channel: array<vec4<f32>, 2>;
    var layers: array<vec3<f32>, 2>;

    channel[0] = channel_0;
    channel[1] = channel_1;
    let index = i32(channel[0].x);
    r8[index] = bitcast<u32>(channel[index].y);
    let _e23 = r8[(index + 1i)];
    let old = bitcast<f32>(_e23);
    layers[index].x = uniforms.pairs[1].xy.x;
    layers[index].y = uniforms.pairs[1].xy.y;
    let position = uniforms.bones[(index + 3i)] * (old + uniforms.pairs[index].xy.y);
    return VertexOutput(position, layers[0], layers[1]);
}
