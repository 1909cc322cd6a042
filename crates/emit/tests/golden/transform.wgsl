// example.shbin #0, for PICA200
// Assumed: all inputs are finite.

struct Uniforms {
    projection: mat4x4<f32>,
    modelView: mat3x4<f32>,
    lightDirection: vec3<f32>,
    tint: vec4<f32>,
}

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) color: vec4<f32>,
    @location(2) texcoord0: vec2<f32>,
}

@group(0) @binding(0)
var<uniform> uniforms: Uniforms;

@vertex
fn main(@location(0) inPosition: vec4<f32>, @location(1) inNormal: vec3<f32>, @location(2) inTexcoord: vec2<f32>) -> VertexOutput {
    let projection = uniforms.projection;
    let modelView = uniforms.modelView;
    let lightDirection = uniforms.lightDirection;
    let tint = uniforms.tint;
    let viewPosition = vec4<f32>((inPosition * modelView), 1f);
    let position = viewPosition * projection;
    let normal = normalize(vec3<f32>(dot(modelView[0].xyz, inNormal), dot(modelView[1].xyz, inNormal), dot(modelView[2].xyz, inNormal)));
    let lambert = max(dot(normal, -(lightDirection)), 0f);
    let color = tint * vec4<f32>(vec3(lambert), 1f);
    return VertexOutput(position, color, inTexcoord);
}
