// An outline pass: the vertex is moved along its normal in clip space, by a width in pixels.
// range: width 0 1
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

struct Outline {
    mvp: mat4x4f,
    tint: vec4f,
    pixel_size: vec2f,
    width: f32,
}

@group(0) @binding(0) var<uniform> outline: Outline;

@vertex
fn main(@location(0) in_position: vec4f, @location(1) in_normal: vec3f) -> Output {
    var clip = outline.mvp * in_position;
    let direction = (outline.mvp * vec4f(in_normal, 0.0)).xy;
    let squared = dot(direction, direction) + 1.0;
    let offset = direction * (inverseSqrt(squared) * outline.width);
    clip = vec4f(clip.xy + offset * outline.pixel_size * clip.w, clip.zw);
    return Output(clip, outline.tint);
}
