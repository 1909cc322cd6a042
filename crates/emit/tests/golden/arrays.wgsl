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
    var layers: array<vec3<f32>, 2>;

    channel[0] = channel_0_;
    channel[1] = channel_1_;
    let _e10 = channel[0];
    let index = i32(_e10.x);
    let _e14 = channel[index];
    r8_[index] = bitcast<u32>(_e14.y);
    let _e23 = r8_[(index + 1i)];
    let old = bitcast<f32>(_e23);
    let _e26 = uniforms.pairs[1];
    let _e27 = _e26.xy;
    layers[index].x = _e27.x;
    layers[index].y = _e27.y;
    let _e36 = uniforms.bones[(index + 3i)];
    let _e38 = uniforms.pairs[index];
    let position = (_e36 * (old + _e38.xy.y));
    let _e44 = layers[0];
    let _e46 = layers[1];
    return VertexOutput(position, _e44, _e46);
}
