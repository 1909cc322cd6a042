// example.shbin #0, for PICA200

struct Uniforms {
    bones: array<vec4<f32>, 12>,
    pairs: array<vec4<f32>, 2>,
}

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) layers_0_: vec3<f32>,
    @location(2) layers_1_: vec3<f32>,
}

@group(0) @binding(0) 
var<uniform> uniforms: Uniforms;
var<private> r8_: array<u32, 8>;

@vertex 
fn main(@location(0) channel_0_: vec4<f32>, @location(1) channel_1_: vec4<f32>) -> VertexOutput {
    var channel: array<vec4<f32>, 2>;
    var position: vec4<f32>;
    var layers: array<vec3<f32>, 2>;

    channel[0] = channel_0_;
    channel[1] = channel_1_;
    let _e11 = channel[0];
    let index = i32(_e11.x);
    let _e15 = channel[index];
    r8_[index] = bitcast<u32>(_e15.y);
    let _e24 = r8_[(index + 1i)];
    let old = bitcast<f32>(_e24);
    let _e27 = uniforms.pairs[1];
    let _e28 = _e27.xy;
    layers[index].x = _e28.x;
    layers[index].y = _e28.y;
    let _e37 = uniforms.bones[(index + 3i)];
    let _e39 = uniforms.pairs[index];
    position = (_e37 * (old + _e39.xy.y));
    let _e44 = position;
    let _e46 = layers[0];
    let _e48 = layers[1];
    return VertexOutput(_e44, _e46, _e48);
}
