// example.shbin #0, for PICA200

struct Uniforms {
    whole: mat4x4<f32>,
    affine: mat3x4<f32>,
    texture0_: mat2x4<f32>,
    small: array<vec4<f32>, 2>,
    bones: array<vec4<f32>, 6>,
}

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) color: vec4<f32>,
    @location(2) texcoord0: vec2<f32>,
}

@group(0) @binding(0)
var<uniform> uniforms: Uniforms;

@vertex
fn main(@location(0) place: vec4<f32>, @location(1) instance_0: vec4<f32>, @location(2) instance_1: vec4<f32>, @location(3) instance_2: vec4<f32>) -> VertexOutput {
    let whole = uniforms.whole;
    let affine = uniforms.affine;
    let texture0_ = uniforms.texture0_;
    let clip = (place * whole) * whole;
    var view = (place * affine) + vec3<f32>(dot(affine[0].xyz, place.xyz), dot(affine[1].xyz, place.xyz), dot(affine[2].xyz, place.xyz));
    var other = vec3<f32>(dot(whole[0], place), dot(whole[1], place), dot(whole[2], place)) * vec3<f32>(dot(whole[0].xyz, place.xyz), dot(whole[1].xyz, place.xyz), dot(whole[2].xyz, place.xyz));
    var pair = (place * texture0_) + vec2<f32>(dot(whole[2], place), dot(whole[3], place));
    pair = pair + vec2<f32>(dot(uniforms.small[0].xy, place.xy), dot(uniforms.small[1].xy, place.xy));
    pair = pair + vec2<f32>(dot(vec3(1f), place.xyz), dot(vec3(1f), place.xyz));
    pair = pair + vec2<f32>(dot(whole[1].xyz, place.xyz), dot(whole[2].xyz, place.xyz));
    let _e89 = vec4<f32>(view, 1f);
    view = vec3<f32>(dot(uniforms.bones[3], _e89), dot(uniforms.bones[4], _e89), dot(uniforms.bones[5], _e89));
    let _e101 = vec4<f32>(view, 1f);
    view = vec3<f32>(dot(instance_0, _e101), dot(instance_1, _e101), dot(instance_2, _e101));
    view = view + vec3<f32>(dot(uniforms.bones[0].xyz, place.xyz), dot(uniforms.bones[1].xyz, place.xyz), dot(uniforms.bones[2].xyz, place.xyz));
    other = whole[3].xyz * instance_1.xyz;
    let depth = dot(whole[2], place);
    let color = vec4<f32>((view + other), depth);
    let texcoord0 = pair;
    return VertexOutput(clip, color, texcoord0);
}
