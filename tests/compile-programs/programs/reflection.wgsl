// A reflection vector for a cube map in texcoord0 and its w, a fresnel term in the colour's alpha.
// range: in_normal 0.125 1
struct Output {
    @builtin(position) position: vec4f,
    @location(0) texcoord0: vec2f,
    @location(1) texcoord0w: f32,
    @location(2) color: vec4f,
}

struct Camera {
    view_projection: mat4x4f,
    eye: vec3f,
}

@group(0) @binding(0) var<uniform> camera: Camera;

@vertex
fn main(@location(0) in_position: vec3f, @location(1) in_normal: vec3f) -> Output {
    let n = normalize(in_normal);
    let incident = normalize(in_position - camera.eye - vec3f(0.0, 0.0, 9.0));
    let r = reflect(incident, n);
    let facing = saturate(-dot(incident, n));
    let fresnel = 0.0625 + 0.9375 * pow(1.0 - facing * 0.875, 5.0);
    var out: Output;
    out.position = camera.view_projection * vec4f(in_position, 1.0);
    out.texcoord0 = r.xy;
    out.texcoord0w = r.z;
    out.color = vec4f(vec3f(facing), fresnel);
    return out;
}
