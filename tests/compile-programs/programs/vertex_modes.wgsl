// A switch over an attribute that selects one of four ways to colour a vertex.
// range: in_mode 0 4 integer
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@group(0) @binding(0) var<uniform> mvp: mat4x4f;
@group(0) @binding(1) var<uniform> fill: vec4f;

@vertex
fn main(@location(0) in_position: vec4f, @location(1) in_color: vec4f, @location(2) in_mode: f32) -> Output {
    var color = vec4f(1.0, 0.0, 1.0, 1.0);
    switch i32(in_mode) {
        case 0: {
            color = in_color;
        }
        case 1, 2: {
            color = in_color * fill;
            if in_mode > 1.5 {
                color.a = 1.0;
            }
        }
        case 3: {
            color = fill;
        }
        default: {}
    }
    return Output(mvp * in_position, color);
}
