// A pose from a quaternion made into a matrix in the program, then used twice.
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

struct Pose {
    rotation: vec4f,
    translation: vec3f,
    scale: f32,
}

@group(0) @binding(0) var<uniform> pose: Pose;
@group(0) @binding(1) var<uniform> view_projection: mat4x4f;

fn matrix_of(q: vec4f) -> mat3x3f {
    let d = q + q;
    let x = q.x * d;
    let y = q.y * d;
    let z = q.z * d;
    let w = q.w * d;
    return mat3x3f(
        1.0 - y.y - z.z, x.y + w.z, x.z - w.y,
        x.y - w.z, 1.0 - x.x - z.z, y.z + w.x,
        x.z + w.y, y.z - w.x, 1.0 - x.x - y.y,
    );
}

@vertex
fn main(@location(0) in_position: vec3f, @location(1) in_normal: vec3f) -> Output {
    let m = matrix_of(pose.rotation * 0.25);
    let world = m * (in_position * pose.scale) + pose.translation;
    let normal = m * in_normal;
    return Output(view_projection * vec4f(world, 1.0), vec4f(normal * 0.5 + 0.5, 1.0));
}
