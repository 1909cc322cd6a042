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
    var turned: array<vec3<f32>, 2>;
    var instance: array<vec4<f32>, 3>;
    var position: vec4<f32>;
    var color: vec4<f32>;
    var texcoord0_: vec2<f32>;
    var view: vec3<f32>;
    var other: vec3<f32>;
    var pair: vec2<f32>;

    let whole = uniforms.whole;
    let affine = uniforms.affine;
    let texture0_ = uniforms.texture0_;
    turned[0] = vec3(1f);
    turned[1] = vec3(1f);
    instance[0] = instance_0_;
    instance[1] = instance_1_;
    instance[2] = instance_2_;
    let clip = ((place * whole) * whole);
    let _e29 = place.xyz;
    view = ((place * affine) + vec3<f32>(dot(affine[0].xyz, _e29), dot(affine[1].xyz, _e29), dot(affine[2].xyz, _e29)));
    let _e49 = place.xyz;
    other = (vec3<f32>(dot(whole[0], place), dot(whole[1], place), dot(whole[2], place)) * vec3<f32>(dot(whole[0].xyz, _e49), dot(whole[1].xyz, _e49), dot(whole[2].xyz, _e49)));
    pair = ((place * texture0_) + vec2<f32>(dot(whole[2], place), dot(whole[3], place)));
    let _e70 = pair;
    let _e71 = place.xy;
    let _e73 = uniforms.small[0];
    let _e77 = uniforms.small[1];
    pair = (_e70 + vec2<f32>(dot(_e73.xy, _e71), dot(_e77.xy, _e71)));
    let _e82 = pair;
    let _e83 = place.xyz;
    let _e85 = turned[0];
    let _e88 = turned[1];
    pair = (_e82 + vec2<f32>(dot(_e85, _e83), dot(_e88, _e83)));
    let _e92 = pair;
    let _e93 = place.xyz;
    pair = (_e92 + vec2<f32>(dot(whole[1].xyz, _e93), dot(whole[2].xyz, _e93)));
    let _e102 = view;
    let _e103 = vec4<f32>(_e102, 1f);
    let _e105 = uniforms.bones[3];
    let _e108 = uniforms.bones[4];
    let _e111 = uniforms.bones[5];
    view = vec3<f32>(dot(_e105, _e103), dot(_e108, _e103), dot(_e111, _e103));
    let _e114 = view;
    let _e115 = vec4<f32>(_e114, 1f);
    let _e117 = instance[0];
    let _e120 = instance[1];
    let _e123 = instance[2];
    view = vec3<f32>(dot(_e117, _e115), dot(_e120, _e115), dot(_e123, _e115));
    let _e126 = view;
    let _e127 = place.xyz;
    let _e129 = uniforms.bones[0];
    let _e133 = uniforms.bones[1];
    let _e137 = uniforms.bones[2];
    view = (_e126 + vec3<f32>(dot(_e129.xyz, _e127), dot(_e133.xyz, _e127), dot(_e137.xyz, _e127)));
    let _e145 = instance[1];
    other = (whole[3].xyz * _e145.xyz);
    let depth = dot(whole[2], place);
    position = clip;
    let _e150 = view;
    let _e151 = other;
    color = vec4<f32>((_e150 + _e151), depth);
    let _e154 = pair;
    texcoord0_ = _e154;
    let _e155 = position;
    let _e156 = color;
    let _e157 = texcoord0_;
    return VertexOutput(_e155, _e156, _e157);
}
