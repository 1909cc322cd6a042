// example.shbin #0, for PICA200

struct Uniforms {
    lights_0_color: vec3<f32>,
    lights_0_direction: vec3<f32>,
    lights_1_color: vec3<f32>,
    lights_1_direction: vec3<f32>,
    scene_fog_color: vec4<f32>,
    scene_exposure: f32,
    scene_weights: array<vec4<f32>, 3>,
    u_normal: mat3x3<f32>,
    u_view: mat4x4<f32>,
}

struct FragmentOutput {
    @location(0) fragColor: vec4<f32>,
}

@group(0) @binding(0)
var<uniform> uniforms: Uniforms;

@fragment
fn main(@location(0) v_normal: vec3<f32>) -> FragmentOutput {
    let lights_0_color = uniforms.lights_0_color;
    let lights_0_direction = uniforms.lights_0_direction;
    let lights_1_color = uniforms.lights_1_color;
    let lights_1_direction = uniforms.lights_1_direction;
    let scene_fog_color = uniforms.scene_fog_color;
    let scene_exposure = uniforms.scene_exposure;
    let u_normal = uniforms.u_normal;
    let u_view = uniforms.u_view;
    let _e19 = u_normal * v_normal;
    let n = normalize((((u_view[0].xyz * _e19.x) + (u_view[1].xyz * _e19.y)) + (u_view[2].xyz * _e19.z)));
    var sum = (lights_0_color * max(dot(n, lights_0_direction), 0f)) + (lights_1_color * max(dot(n, lights_1_direction), 0f));
    sum = sum * (scene_exposure * uniforms.scene_weights[2].x);
    sum = sum + (vec3<f32>(dot(n, u_view[0].xyz), dot(n, u_view[1].xyz), dot(n, u_view[2].xyz)) + (((u_view[0].xyz * n.xy.x) + (u_view[1].xyz * n.xy.y)) + u_normal[1]));
    let fragColor = vec4<f32>(sum, 1f) + scene_fog_color;
    return FragmentOutput(fragColor);
}
