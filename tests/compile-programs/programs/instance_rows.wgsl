// A model matrix in attributes (three rows an instance), a mat4x3 and a mat3x3 uniform.
struct Input {
    @location(0) position: vec3f,
    @location(1) row0: vec4f,
    @location(2) row1: vec4f,
    @location(3) row2: vec4f,
}

struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@group(0) @binding(0) var<uniform> camera: mat4x3f;
@group(0) @binding(1) var<uniform> turn: mat3x3f;
@group(0) @binding(2) var<uniform> lens: vec4f;

@vertex
fn main(in: Input) -> Output {
    let local = vec4f(in.position, 1.0);
    let world = vec3f(dot(in.row0, local), dot(in.row1, local), dot(in.row2, local));
    let eye = turn * (camera * vec4f(world, 1.0));
    var out: Output;
    out.position = vec4f(eye.xy * lens.xy, eye.z * lens.z + lens.w, -eye.z);
    out.color = vec4f(abs(in.position) * 0.25, 1.0);
    return out;
}
