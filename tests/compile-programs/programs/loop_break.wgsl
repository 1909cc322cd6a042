// Ray against a height ramp: a bounded loop that breaks early and skips some passes.
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@group(0) @binding(0) var<uniform> mvp: mat4x4f;
@group(0) @binding(1) var<uniform> stairs: array<vec4f, 8>;

@vertex
fn main(@location(0) in_position: vec3f, @location(1) in_limit: f32) -> Output {
    var height = 0.0;
    var taken = 0.0;
    for (var i = 0; i < 8; i++) {
        let stair = stairs[i];
        if stair.w < -1.003 {
            continue;
        }
        if height > in_limit + 0.003 {
            break;
        }
        height += abs(stair.x);
        taken += 1.0;
    }
    return Output(
        mvp * vec4f(in_position.x, in_position.y + height, in_position.z, 1.0),
        vec4f(height * 0.125, taken * 0.125, 0.0, 1.0),
    );
}
