// A function with results by pointer, called under conditions: a part of the program is called, not written out.
struct Uniforms {
    mvp: mat4x4<f32>,
    axis: array<vec4<f32>, 4>,
    amount: vec4<f32>,
}
@group(0) @binding(0) var<uniform> world: Uniforms;

var<private> bends: f32 = 0.0;

fn bend(p: ptr<function, vec3<f32>>, axis: vec4<f32>, amount: f32) -> f32 {
    let direction = normalize(axis.xyz + vec3<f32>(0.0, 0.0, 3.0));
    let along = dot(*p, direction) * amount;
    let wave = sin(along) * 0.25 + cos(along * 0.5) * 0.5;
    let side = cross(direction, *p);
    var moved = *p + side * wave * amount;
    if along > axis.w {
        moved = moved - direction * (along - axis.w) * 0.5;
        bends = bends + 1.0;
    }
    *p = mix(*p, moved, clamp(amount, 0.0, 1.0));
    return wave + length(side) * 0.125;
}

struct Out {
    @builtin(position) position: vec4<f32>,
    @location(2) color: vec4<f32>,
}

@vertex
fn main(@location(0) position: vec4<f32>, @location(1) weights: vec4<f32>) -> Out {
    var p = position.xyz;
    var q = position.zxy * 0.5;
    var sum = bend(&p, world.axis[0], world.amount.x);
    sum = sum + bend(&p, world.axis[1], world.amount.y);
    if weights.x > 0.0 {
        sum = sum * 0.5 + bend(&q, world.axis[2], weights.y);
        if weights.z > 0.5 {
            sum = sum - bend(&p, world.axis[3], weights.x * 0.25);
        }
    } else {
        sum = sum + bend(&q, world.axis[2], world.amount.w) * 2.0;
    }
    sum = sum + bend(&q, world.axis[3], weights.w);
    var out: Out;
    out.position = world.mvp * vec4<f32>(p, 1.0);
    out.color = vec4<f32>(q, sum + bends * 0.125);
    return out;
}
