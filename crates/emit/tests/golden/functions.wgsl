// example.shbin #0, for PICA200

struct split_result {
    value0_: vec2<f32>,
    value1_: vec2<f32>,
}

struct either_result {
    value0_: vec4<f32>,
    value1_: f32,
}

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) color: vec4<f32>,
}

var<private> color: vec4<f32>;

fn shade(base: vec4<f32>, amount: f32) -> vec4<f32> {
    var amount_1: f32;

    amount_1 = amount;
    let _e3 = amount_1;
    amount_1 = (_e3 + 0.25f);
    let _e6 = amount_1;
    if (_e6 < 0.5f) {
        return base;
    }
    let _e9 = amount_1;
    return (base * _e9);
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
    var tone: vec4<f32>;
    var head: vec2<f32>;
    var tail: vec2<f32>;
    var sign_: f32;

    note();
    let _e5 = shade(b, a.w);
    tone = _e5;
    let _e8 = tone;
    let _e9 = split(_e8);
    head = _e9.value0_;
    tail = _e9.value1_;
    let _e13 = either(a);
    sign_ = _e13.value1_;
    let _e15 = sign_;
    let _e16 = shade(a, _e15);
    let _e17 = sign_;
    let _e19 = split((a * _e17));
    tone.x = _e19.value0_.x;
    tone.y = _e19.value0_.y;
    tone.z = _e19.value1_.x;
    tone.w = _e19.value1_.y;
    let _e30 = head;
    let _e31 = tail;
    let _e32 = (_e30 + _e31);
    color.x = _e32.x;
    color.y = _e32.y;
    let position = tone;
    let _e38 = color;
    return VertexOutput(position, _e38);
}
