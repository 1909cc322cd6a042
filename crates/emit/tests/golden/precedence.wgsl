// example.shbin #0, for PICA200

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) color: vec4<f32>,
}

@vertex
fn main(@location(0) a: vec4<f32>, @location(1) b: vec4<f32>) -> VertexOutput {
    let f0 = (a.x * a.y) + a.z;
    let f1 = (a.x + a.y) * a.z;
    let f2 = a.x - (a.y - a.z);
    let f3 = (a.x - a.y) - a.z;
    let f4 = a.x / (a.y * a.z);
    let f5 = (a.x * a.y) / a.z;
    let f6 = -((a.x + a.y));
    let f7 = -(a.x) * a.y;
    let f8 = -(-(a.x));
    let f9 = a.x - -(a.y);
    let f10_ = a.x - -1.5f;
    var constant = -1.5f;
    let f11_ = -(constant);
    var constant_1 = 1.5f;
    let f12_ = -(constant_1);
    let f13_ = dot((a + b), (b - a).wzyx);
    let f14_ = -(a).w;
    let f15_ = select(select(a.z, a.y, (a.z < a.x)), select(a.y, a.x, (a.y < a.z)), (a.x < a.y));
    let f16_ = select(a.y, a.x, (a.x < a.y)) + a.z;
    let i0 = (i32(a.x) + i32(a.y)) & (i32(a.x) << u32(2i));
    let i1 = (i32(a.x) | i32(a.y)) >> u32(1i);
    let i2 = ~(i32(a.x)) ^ (i32(a.x) & i32(a.y));
    var constant_2 = i32(-2147483648);
    let i3 = -3i * -(constant_2);
    let c0 = ((a.x < a.y) && (a.y < a.z)) || (a.x < a.z);
    let c1 = ((a.x < a.y) || (a.y < a.z)) && (a.x < a.z);
    let c2 = !((a.x < a.y));
    let c3 = (a.x < a.y) != !(true);
    let c4 = (a.x < a.y) == (a.y < a.z);
    let color = vec4(f0);
    return VertexOutput(a, color);
}
