// Functions that change their caller's variables through pointers.
struct Output {
    @builtin(position) position: vec4f,
    @location(0) color: vec4f,
}

@group(0) @binding(0) var<uniform> mvp: mat4x4f;
@group(0) @binding(1) var<uniform> settings: vec4f;

fn shear(p: ptr<function, vec3f>, amount: f32) {
    (*p).x += (*p).y * amount;
}

fn bounce(value: ptr<function, f32>, low: f32, high: f32) -> bool {
    if *value < low - 0.001 {
        *value = 2.0 * low - *value;
        return true;
    }
    if *value > high + 0.001 {
        *value = 2.0 * high - *value;
        return true;
    }
    return false;
}

@vertex
fn main(@location(0) in_position: vec3f, @location(1) in_color: vec4f) -> Output {
    var p = in_position;
    shear(&p, settings.x);
    var y = p.y + settings.y;
    let bounced = bounce(&y, -1.0, 1.0);
    p.y = y;
    let tint = select(vec4f(1.0), vec4f(0.5, 0.5, 0.5, 1.0), bounced);
    return Output(mvp * vec4f(p, 1.0), in_color * tint);
}
