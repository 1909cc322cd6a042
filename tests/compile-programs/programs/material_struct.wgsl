// Nested structs in uniforms, passed by value to functions and returned from them.
struct Material {
    diffuse: vec4f,
    specular: vec4f,
    emission: vec4f,
}

struct Sun {
    direction: vec3f,
    strength: f32,
}

struct World {
    mvp: mat4x4f,
    sun: Sun,
    materials: array<Material, 2>,
}

struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
    @location(1) view: vec3f,
}

@group(0) @binding(0) var<uniform> world: World;

fn between(a: Material, b: Material, t: f32) -> Material {
    return Material(
        mix(a.diffuse, b.diffuse, t),
        mix(a.specular, b.specular, t),
        a.emission + b.emission,
    );
}

fn shade(m: Material, sun: Sun, n: vec3f) -> vec4f {
    let lit = max(dot(n, sun.direction), 0.0) * sun.strength;
    return m.emission + m.diffuse * lit + m.specular * (lit * lit * 0.0625);
}

@vertex
fn main(@location(0) in_position: vec3f, @location(1) in_normal: vec3f, @location(2) in_blend: f32) -> Output {
    let m = between(world.materials[0], world.materials[1], saturate(in_blend));
    var out: Output;
    out.position = world.mvp * vec4f(in_position, 1.0);
    out.color = shade(m, world.sun, in_normal);
    out.view = in_normal;
    return out;
}
