// A flat sheet rolled around a cylinder: sine and cosine of a position, atan2 of another for a texture angle.
// range: in_direction 0.25 4
struct Output {
    @builtin(position) position: vec4f,
    @location(0) texcoord0: vec2f,
    @location(1) color: vec4f,
}

@group(0) @binding(0) var<uniform> mvp: mat4x4f;
@group(0) @binding(1) var<uniform> cylinder: vec4f; // radius offset, height scale, turn, unused

const TWO_PI = 6.2831853;

@vertex
fn main(@location(0) in_sheet: vec2f, @location(1) in_direction: vec2f) -> Output {
    let angle = in_sheet.x * 0.5 + cylinder.z;
    let radius = 2.0 + abs(cylinder.x);
    let p = vec3f(radius * cos(angle), in_sheet.y * cylinder.y, radius * sin(angle));
    var out: Output;
    out.position = mvp * vec4f(p, 1.0);
    out.texcoord0 = vec2f(atan2(in_direction.y, in_direction.x) / TWO_PI, in_sheet.y * 0.25);
    out.color = vec4f(cos(angle) * 0.5 + 0.5, sin(angle) * 0.5 + 0.5, 0.0, 1.0);
    return out;
}
