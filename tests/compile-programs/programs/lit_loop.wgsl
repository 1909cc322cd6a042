// Directional lights in a loop whose bound is an i32 uniform.
// range: light_count 0 6 integer
struct Light {
    direction: vec4<f32>,
    color: vec4<f32>,
}

struct Output {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec4<f32>,
}

@group(0) @binding(0) var<uniform> mvp: mat4x4<f32>;
@group(0) @binding(1) var<uniform> lights: array<Light, 6>;
@group(0) @binding(2) var<uniform> light_count: i32;

@vertex
fn main(@location(0) in_position: vec3<f32>, @location(1) in_normal: vec3<f32>) -> Output {
    var sum = vec3<f32>(0.0625);
    for (var i = 0; i < light_count; i++) {
        let lit = max(dot(lights[i].direction.xyz, in_normal), 0.0);
        sum += lights[i].color.rgb * lit;
    }
    return Output(mvp * vec4<f32>(in_position, 1.0), vec4<f32>(sum, 1.0));
}
