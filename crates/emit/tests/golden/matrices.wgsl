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
    @location(2) texcoord0_: vec2<f32>,
}

@group(0) @binding(0) 
var<uniform> uniforms: Uniforms;

@vertex 
fn main(@location(0) place: vec4<f32>, @location(1) instance_0_: vec4<f32>, @location(2) instance_1_: vec4<f32>, @location(3) instance_2_: vec4<f32>) -> VertexOutput {
    var view: vec3<f32>;
    var other: vec3<f32>;
    var pair: vec2<f32>;

    let whole = uniforms.whole;
    let affine = uniforms.affine;
    let texture0_ = uniforms.texture0_;
    let clip = ((place * whole) * whole);
    let _e19 = place.xyz;
    view = ((place * affine) + vec3<f32>(dot(affine[0].xyz, _e19), dot(affine[1].xyz, _e19), dot(affine[2].xyz, _e19)));
    let _e39 = place.xyz;
    other = (vec3<f32>(dot(whole[0], place), dot(whole[1], place), dot(whole[2], place)) * vec3<f32>(dot(whole[0].xyz, _e39), dot(whole[1].xyz, _e39), dot(whole[2].xyz, _e39)));
    pair = ((place * texture0_) + vec2<f32>(dot(whole[2], place), dot(whole[3], place)));
    let _e60 = pair;
    let _e61 = place.xy;
    let _e63 = uniforms.small[0];
    let _e67 = uniforms.small[1];
    pair = (_e60 + vec2<f32>(dot(_e63.xy, _e61), dot(_e67.xy, _e61)));
    let _e72 = pair;
    let _e73 = place.xyz;
    pair = (_e72 + vec2<f32>(dot(vec3(1f), _e73), dot(vec3(1f), _e73)));
    let _e78 = pair;
    let _e79 = place.xyz;
    pair = (_e78 + vec2<f32>(dot(whole[1].xyz, _e79), dot(whole[2].xyz, _e79)));
    let _e88 = view;
    let _e89 = vec4<f32>(_e88, 1f);
    let _e91 = uniforms.bones[3];
    let _e94 = uniforms.bones[4];
    let _e97 = uniforms.bones[5];
    view = vec3<f32>(dot(_e91, _e89), dot(_e94, _e89), dot(_e97, _e89));
    let _e100 = view;
    let _e101 = vec4<f32>(_e100, 1f);
    view = vec3<f32>(dot(instance_0_, _e101), dot(instance_1_, _e101), dot(instance_2_, _e101));
    let _e106 = view;
    let _e107 = place.xyz;
    let _e109 = uniforms.bones[0];
    let _e113 = uniforms.bones[1];
    let _e117 = uniforms.bones[2];
    view = (_e106 + vec3<f32>(dot(_e109.xyz, _e107), dot(_e113.xyz, _e107), dot(_e117.xyz, _e107)));
    other = (whole[3].xyz * instance_1_.xyz);
    let depth = dot(whole[2], place);
    let _e128 = view;
    let _e129 = other;
    let color = vec4<f32>((_e128 + _e129), depth);
    let texcoord0_ = pair;
    return VertexOutput(clip, color, texcoord0_);
}
