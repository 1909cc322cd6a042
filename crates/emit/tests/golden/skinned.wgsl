// example.shbin #0, for PICA200

diagnostic(off, derivative_uniformity);

struct Uniforms {
    u_projection: mat4x4<f32>,
    u_bones: array<vec4<f32>, 32>,
}

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) v_uv: vec2<f32>,
    @location(0) v_fog: f32,
    @location(2) v_normal: vec3<f32>,
}

@group(0) @binding(0)
var<uniform> uniforms: Uniforms;
@group(1) @binding(0)
var u_height: texture_2d<f32>;
@group(1) @binding(1)
var u_height_sampler: sampler;

@vertex
fn main(@location(0) a_position: vec4<f32>, @location(1) a_bone: f32, @location(2) a_uv: vec2<f32>, @location(4) a_frame_0: vec3<f32>, @location(5) a_frame_1: vec3<f32>, @location(6) a_frame_2: vec3<f32>) -> VertexOutput {
    let u_projection = uniforms.u_projection;
    var p = (((uniforms.u_bones[((i32(a_bone) * 4i) + 0i)] * a_position.x) + (uniforms.u_bones[((i32(a_bone) * 4i) + 1i)] * a_position.y)) + (uniforms.u_bones[((i32(a_bone) * 4i) + 2i)] * a_position.z)) + (uniforms.u_bones[((i32(a_bone) * 4i) + 3i)] * a_position.w);
    let texel = textureSampleLevel(u_height, u_height_sampler, a_uv, 0f);
    p.y = p.y + texel.x;
    let position = u_projection * p;
    let v_uv = a_uv + uniforms.u_bones[15].xy;
    let v_fog = uniforms.u_projection[i32(a_bone)].w;
    let v_normal = ((a_frame_0 * p.xyz.x) + (a_frame_1 * p.xyz.y)) + (a_frame_2 * p.xyz.z);
    return VertexOutput(position, v_uv, v_fog, v_normal);
}
