// example.shbin #0, for PICA200

struct Uniforms {
    sample: f32,
    fog_range: vec2<f32>,
    eye: vec3<f32>,
    exposure: f32,
    palette: array<vec3<f32>, 4>,
    steps: vec4<i32>,
    limits: array<vec4<i32>, 2>,
    fogOn: u32,
    flags: array<vec4<u32>, 3>,
}

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) color: vec4<f32>,
    @location(2) texcoord0_: vec2<f32>,
    @location(0) texcoord1_: vec2<f32>,
    @location(3) view: vec3<f32>,
}

@group(0) @binding(0) 
var<uniform> uniforms: Uniforms;

fn fromBits(a: u32) -> f32 {
    return bitcast<f32>(a);
}

@vertex 
fn main(@location(0) gl_Vertex: vec3<f32>, @location(3) scale: f32) -> VertexOutput {
    var weights: array<f32, 3>;
    var position: vec4<f32>;
    var color: vec4<f32>;
    var texcoord0_: vec2<f32>;
    var texcoord1_: vec2<f32>;
    var view: vec3<f32>;

    let sample = uniforms.sample;
    let fog_range = uniforms.fog_range;
    let eye = uniforms.eye;
    let exposure = uniforms.exposure;
    let steps = uniforms.steps;
    let _e14 = uniforms.fogOn;
    let fogOn = (_e14 != 0u);
    weights[0] = 1f;
    weights[1] = 0.5f;
    let _e24 = fromBits(2139095040u);
    weights[2] = _e24;
    let texture = i32(scale);
    let _e35 = uniforms.palette[texture];
    let _e37 = (_e35 + (eye * exposure));
    color.x = _e37.x;
    color.y = _e37.y;
    color.z = _e37.z;
    let _e45 = uniforms.flags[2];
    if (fogOn && (_e45.x != 0u)) {
        color.w = sample;
    }
    texcoord0_ = fog_range;
    let _e53 = uniforms.limits[1];
    texcoord1_ = vec2<f32>(f32(steps.y), f32(_e53.x));
    let _e58 = weights[texture];
    view = (gl_Vertex * _e58);
    position = vec4<f32>(gl_Vertex, 1f);
    let _e61 = position;
    let _e62 = color;
    let _e63 = texcoord0_;
    let _e64 = texcoord1_;
    let _e65 = view;
    return VertexOutput(_e61, _e62, _e63, _e64, _e65);
}
