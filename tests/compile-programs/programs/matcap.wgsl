// Matcap coordinates: the view-space normal's x and y, scaled into the texture.
struct Transforms {
    view_model: mat4x4<f32>,
    projection: mat4x4<f32>,
}

struct Output {
    @builtin(position) position: vec4<f32>,
    @location(0) texcoord0: vec2<f32>,
    @location(1) view: vec3<f32>,
}

@group(0) @binding(0) var<uniform> transforms: Transforms;

@vertex
fn main(@location(0) in_position: vec3<f32>, @location(1) in_normal: vec3<f32>) -> Output {
    let eye = transforms.view_model * vec4<f32>(in_position, 1.0);
    let n = (transforms.view_model * vec4<f32>(in_normal, 0.0)).xyz;
    var out: Output;
    out.position = transforms.projection * eye;
    out.texcoord0 = n.xy * vec2<f32>(0.5, -0.5) + vec2<f32>(0.5, 0.5);
    out.view = -eye.xyz;
    return out;
}
