// Hemisphere lighting: sky and ground colours mixed by the normal's height, plus one sun.
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

struct Sky {
    sky: vec3f,
    ground: vec3f,
    sun_direction: vec3f,
    sun_color: vec3f,
}

@group(0) @binding(0) var<uniform> mvp: mat4x4f;
@group(0) @binding(1) var<uniform> sky: Sky;

fn hemisphere(n: vec3f) -> vec3f {
    let up = clamp(n.y * 0.5 + 0.5, 0.0, 1.0);
    return mix(sky.ground, sky.sky, up);
}

@vertex
fn main(@location(0) in_position: vec4f, @location(1) in_normal: vec3f) -> Output {
    let sun = sky.sun_color * max(dot(in_normal, sky.sun_direction), 0.0);
    return Output(mvp * in_position, vec4f(hemisphere(in_normal) + sun, 1.0));
}
