// example.shbin #0, for PICA200

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) color: vec4<f32>,
}

fn mul0(a_1: f32, b_1: f32) -> f32 {
    return select((a_1 * b_1), 0f, (((a_1 == 0f) && ((bitcast<u32>(b_1) & 2147483647u) == 2139095040u)) || ((b_1 == 0f) && ((bitcast<u32>(a_1) & 2147483647u) == 2139095040u))));
}

fn mul0_vec4(a_2: vec4<f32>, b_2: vec4<f32>) -> vec4<f32> {
    let _e4 = mul0(a_2.x, b_2.x);
    let _e7 = mul0(a_2.y, b_2.y);
    let _e10 = mul0(a_2.z, b_2.z);
    let _e13 = mul0(a_2.w, b_2.w);
    return vec4<f32>(_e4, _e7, _e10, _e13);
}

fn fromBits(a_3: u32) -> f32 {
    return bitcast<f32>(a_3);
}

fn maxSecond(a_4: f32, b_3: f32) -> f32 {
    return select(b_3, a_4, (a_4 > b_3));
}

fn maxSecond_vec3(a_5: vec3<f32>, b_4: vec3<f32>) -> vec3<f32> {
    let _e4 = maxSecond(a_5.x, b_4.x);
    let _e7 = maxSecond(a_5.y, b_4.y);
    let _e10 = maxSecond(a_5.z, b_4.z);
    return vec3<f32>(_e4, _e7, _e10);
}

fn minSecond(a_6: f32, b_5: f32) -> f32 {
    return select(b_5, a_6, (a_6 < b_5));
}

fn toInt(a_7: f32) -> i32 {
    return select(select(select(2147483647i, i32(a_7), (a_7 < 2147483600f)), i32(-2147483648), (a_7 < -2147483600f)), 0i, ((bitcast<u32>(a_7) & 2147483647u) > 2139095040u));
}

fn saturate_(a_8: f32) -> f32 {
    return select(clamp(a_8, 0f, 1f), 0f, ((bitcast<u32>(a_8) & 2147483647u) > 2139095040u));
}

fn saturate_vec3(a_9: vec3<f32>) -> vec3<f32> {
    let _e2 = saturate_(a_9.x);
    let _e4 = saturate_(a_9.y);
    let _e6 = saturate_(a_9.z);
    return vec3<f32>(_e2, _e4, _e6);
}

fn mulZeroWins(a_10: f32, b_6: f32) -> f32 {
    return select((a_10 * b_6), 0f, ((a_10 == 0f) || (b_6 == 0f)));
}

fn toUint(a_11: f32) -> u32 {
    return select(0u, select(4294967295u, u32(a_11), (a_11 < 4294967300f)), (a_11 > 0f));
}

fn minNumber(a_12: f32, b_7: f32) -> f32 {
    return select(b_7, a_12, ((((bitcast<u32>(b_7) & 2147483647u) > 2139095040u) || (a_12 < b_7)) || ((a_12 == b_7) && ((bitcast<u32>(a_12) & 2147483648u) != 0u))));
}

fn maxNumber(a_13: f32, b_8: f32) -> f32 {
    return select(b_8, a_13, ((((bitcast<u32>(b_8) & 2147483647u) > 2139095040u) || (a_13 > b_8)) || ((a_13 == b_8) && ((bitcast<u32>(a_13) & 2147483648u) == 0u))));
}

fn flushDenormal(a_14: f32) -> f32 {
    return select(a_14, bitcast<f32>((bitcast<u32>(a_14) & 2147483648u)), ((bitcast<u32>(a_14) & 2139095040u) == 0u));
}

@vertex
fn main(@location(0) a: vec4<f32>, @location(1) b: vec4<f32>) -> VertexOutput {
    let _e3 = mul0_vec4(a, b);
    let _e6 = mul0(a.x, a.x);
    let _e9 = mul0(a.x, b.y);
    var sum = (_e6 + _e9) + b.z;
    let _e18 = fromBits(2139095040u);
    let _e20 = maxSecond_vec3(a.xyz, vec3<f32>(0f, -0f, _e18));
    let _e23 = fromBits(2143289344u);
    let _e24 = minSecond(a.x, _e23);
    let _e26 = toInt(a.x);
    let _e27 = saturate_vec3(_e20);
    let _e29 = mulZeroWins(_e24, a.x);
    let _e31 = toUint(a.x);
    let bits = bitcast<u32>(a.x);
    let flipped = bitcast<f32>((bits ^ (_e31 | 2147483648u)));
    let _e39 = minNumber(flipped, a.x);
    let _e41 = maxNumber(_e39, a.x);
    let _e42 = flushDenormal(_e41);
    let chosen = select(b.xyz, _e27, (a.xyz < vec3<f32>(1f, 0.1f, 0.0000001f)));
    if (((a.x * a.x) + 0.09999943f) < 3f) {
        sum = 0f;
    }
    var color = _e3 + vec4<f32>(chosen, (f32(_e26) + _e42));
    sum = sum + _e29;
    color.w = sum;
    return VertexOutput(a, color);
}
