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
    @location(2) texcoord0: vec2<f32>,
    @location(0) texcoord1: vec2<f32>,
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
    var color: vec4<f32>;

    let sample = uniforms.sample;
    let fog_range = uniforms.fog_range;
    let eye = uniforms.eye;
    let exposure = uniforms.exposure;
    let steps = uniforms.steps;
    let fogOn = uniforms.fogOn != 0u;
    let _e21 = fromBits(2139095040u);
    weights[0] = 1f;
    weights[1] = 0.5f;
    weights[2] = _e21;
    let texture = i32(scale);
    let _e33 = uniforms.palette[texture] + (eye * exposure);
    color.x = _e33.x;
    color.y = _e33.y;
    color.z = _e33.z;
    if (fogOn && (uniforms.flags[2].x != 0u)) {
        color.w = sample;
    }
    let texcoord1 = vec2<f32>(f32(steps.y), f32(uniforms.limits[1].x));
    let view = gl_Vertex * weights[texture];
    let position = vec4<f32>(gl_Vertex, 1f);
    return VertexOutput(position, color, fog_range, texcoord1, view);
}
