// Gerstner waves: horizontal and vertical displacement in a loop of constant length, tangents for the normal.
// range: time 0 4
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
    @location(1) normalquat: vec4f,
}

@group(0) @binding(0) var<uniform> mvp: mat4x4f;
@group(0) @binding(1) var<uniform> waves: array<vec4f, 3>; // direction, steepness, wave number
@group(0) @binding(2) var<uniform> time: f32;

@vertex
fn main(@location(0) in_position: vec3f) -> Output {
    var p = in_position;
    var slope = vec2f(0.0, 0.0);
    for (var i = 0u; i < 3u; i += 1u) {
        let wave = waves[i];
        let phase = wave.w * dot(wave.xy, in_position.xz) * 0.5 + time;
        let s = sin(phase);
        let c = cos(phase);
        p.x += wave.z * wave.x * c * 0.25;
        p.z += wave.z * wave.y * c * 0.25;
        p.y += wave.z * s * 0.25;
        slope += wave.xy * (wave.z * c * 0.25);
    }
    let n = normalize(vec3f(-slope.x, 1.0, -slope.y));
    var out: Output;
    out.position = mvp * vec4f(p, 1.0);
    out.color = vec4f(n * 0.5 + vec3f(0.5), 1.0);
    out.normalquat = normalize(vec4f(n.y, -n.x, 0.0, 1.25 + n.z));
    return out;
}
