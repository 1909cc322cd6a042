// Particles that grow and fade: select, saturate, smoothstep and a curve of three keys.
// range: in_age 0 1
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
    @location(1) texcoord0: vec2f,
}

@group(0) @binding(0) var<uniform> projection: mat4x4f;
@group(0) @binding(1) var<uniform> keys: array<vec4f, 3>;

fn curve(age: f32) -> vec4f {
    let first = mix(keys[0], keys[1], saturate(age * 2.0));
    let second = mix(keys[1], keys[2], saturate(age * 2.0 - 1.0));
    return select(second, first, age < 0.4995);
}

@vertex
fn main(@location(0) in_center: vec3f, @location(1) in_corner: vec2f, @location(2) in_age: f32) -> Output {
    let size = 0.25 + 0.75 * smoothstep(0.0, 0.5, in_age);
    var color = curve(in_age);
    color.a *= 1.0 - in_age;
    let position = projection * vec4f(in_center + vec3f(in_corner * size, 0.0), 1.0);
    return Output(position, color, in_corner);
}
