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
fn main(@location(0) a_position: vec4<f32>, @location(1) a_bone: f32, @location(2) a_uv: vec2<f32>, @location(4) a_frame_0_: vec3<f32>, @location(5) a_frame_1_: vec3<f32>, @location(6) a_frame_2_: vec3<f32>) -> VertexOutput {
    var p: vec4<f32>;

    let u_projection = uniforms.u_projection;
    let _e16 = uniforms.u_bones[((i32(a_bone) * 4i) + 0i)];
    let _e22 = uniforms.u_bones[((i32(a_bone) * 4i) + 1i)];
    let _e28 = uniforms.u_bones[((i32(a_bone) * 4i) + 2i)];
    let _e34 = uniforms.u_bones[((i32(a_bone) * 4i) + 3i)];
    p = ((((_e16 * a_position.x) + (_e22 * a_position.y)) + (_e28 * a_position.z)) + (_e34 * a_position.w));
    let _e47 = p;
    let texel = textureSampleLevel(u_height, u_height_sampler, a_uv, 0f);
    p.y = (_e47.y + texel.x);
    let _e56 = p;
    let position = (u_projection * _e56);
    let _e59 = uniforms.u_bones[15];
    let v_uv = (a_uv + _e59.xy);
    let _e66 = uniforms.u_projection[i32(a_bone)];
    let v_fog = _e66.w;
    let _e68 = p;
    let _e69 = _e68.xyz;
    let v_normal = (((a_frame_0_ * _e69.x) + (a_frame_1_ * _e69.y)) + (a_frame_2_ * _e69.z));
    return VertexOutput(position, v_uv, v_fog, v_normal);
}
