// example.shbin #0, for PICA200

struct split_result {
    value0: vec2<f32>,
    value1: vec2<f32>,
}

struct either_result {
    value0: vec4<f32>,
    value1: f32,
}

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) color: vec4<f32>,
}

var<private> color: vec4<f32>;

fn shade(base: vec4<f32>, amount: f32) -> vec4<f32> {
    var amount_1 = amount;
    amount_1 = amount_1 + 0.25f;
    if (amount_1 < 0.5f) {
        return base;
    }
    return base * amount_1;
}

fn split(whole: vec4<f32>) -> split_result {
    let front = whole.xy;
    let back = whole.zw;
    return split_result(front, back);
}

fn either(whole_1: vec4<f32>) -> either_result {
    if (whole_1.x < 0f) {
        return either_result(-(whole_1), -1f);
    }
    return either_result(whole_1, 1f);
}

fn note() {
    color = vec4<f32>(1f, 0.5f, 0.25f, 1f);
}

@vertex
fn main(@location(0) a: vec4<f32>, @location(1) b: vec4<f32>) -> VertexOutput {
    note();
    let _e5 = shade(b, a.w);
    var tone = _e5;
    let _e9 = split(tone);
    var head = _e9.value0;
    var tail = _e9.value1;
    let _e13 = either(a);
    var sign_ = _e13.value1;
    let _e16 = shade(a, sign_);
    let _e19 = split((a * sign_));
    tone.x = _e19.value0.x;
    tone.y = _e19.value0.y;
    tone.z = _e19.value1.x;
    tone.w = _e19.value1.y;
    let _e32 = head + tail;
    color.x = _e32.x;
    color.y = _e32.y;
    let position = tone;
    let _e38 = color;
    return VertexOutput(position, _e38);
}
