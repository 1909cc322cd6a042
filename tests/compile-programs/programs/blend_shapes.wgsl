// Four blend shapes whose weights are the components of one uniform, added through a local array.
struct Input {
    @location(0) position: vec3f,
    @location(1) shape0: vec3f,
    @location(2) shape1: vec3f,
    @location(3) shape2: vec3f,
    @location(4) shape3: vec3f,
}

struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@group(0) @binding(0) var<uniform> mvp: mat4x4f;
@group(0) @binding(1) var<uniform> weights: vec4f;

@vertex
fn main(in: Input) -> Output {
    var shapes = array<vec3f, 4>(in.shape0, in.shape1, in.shape2, in.shape3);
    var p = in.position;
    p += shapes[0] * weights.x;
    p += shapes[1] * weights.y;
    p += shapes[2] * weights.z;
    p += shapes[3] * weights.w;
    var out: Output;
    out.position = mvp * vec4f(p, 1.0);
    out.color = vec4f(saturate(weights.xyz), 1.0);
    return out;
}
