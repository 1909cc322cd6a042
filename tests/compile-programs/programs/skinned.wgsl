// Skinning with an array of matrices in a uniform and u32 indices made from a float attribute.
// range: joints 0 11 integer
// range: weights 0 1
struct Input {
    @location(0) position: vec4<f32>,
    @location(1) joints: vec2<f32>,
    @location(2) weights: vec2<f32>,
}

struct Output {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec4<f32>,
}

@group(0) @binding(0) var<uniform> joint_matrices: array<mat4x4<f32>, 12>;
@group(0) @binding(1) var<uniform> view_projection: mat4x4<f32>;

fn skin(joint: u32, weight: f32, p: vec4<f32>) -> vec4<f32> {
    return joint_matrices[joint] * p * weight;
}

@vertex
fn main(vertex: Input) -> Output {
    let posed = skin(u32(vertex.joints.x), vertex.weights.x, vertex.position)
        + skin(u32(vertex.joints.y), vertex.weights.y, vertex.position);
    var result: Output;
    result.position = view_projection * posed;
    result.color = vec4<f32>(vertex.weights, 0.0, 1.0);
    return result;
}
