// example.shbin #0, for PICA200

struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(1) color: vec4<f32>,
}

@vertex 
fn main(@location(0) a: vec4<f32>, @location(1) b: vec4<f32>) -> VertexOutput {
    var constant: f32;
    var constant_1: f32;
    var constant_2: i32;

    let f0_ = ((a.x * a.y) + a.z);
    let f1_ = ((a.x + a.y) * a.z);
    let f2_ = (a.x - (a.y - a.z));
    let f3_ = ((a.x - a.y) - a.z);
    let f4_ = (a.x / (a.y * a.z));
    let f5_ = ((a.x * a.y) / a.z);
    let f6_ = -((a.x + a.y));
    let f7_ = (-(a.x) * a.y);
    let f8_ = -(-(a.x));
    let f9_ = (a.x - -(a.y));
    let f10_ = (a.x - -1.5f);
    constant = -1.5f;
    let _e51 = constant;
    let f11_ = -(_e51);
    constant_1 = 1.5f;
    let _e55 = constant_1;
    let f12_ = -(_e55);
    let f13_ = dot((a + b), (b - a).wzyx);
    let f14_ = -(a).w;
    let f15_ = select(select(a.z, a.y, (a.z < a.x)), select(a.y, a.x, (a.y < a.z)), (a.x < a.y));
    let f16_ = (select(a.y, a.x, (a.x < a.y)) + a.z);
    let i0_ = ((i32(a.x) + i32(a.y)) & (i32(a.x) << u32(2i)));
    let i1_ = ((i32(a.x) | i32(a.y)) >> u32(1i));
    let i2_ = (~(i32(a.x)) ^ (i32(a.x) & i32(a.y)));
    constant_2 = i32(-2147483648);
    let _e118 = constant_2;
    let i3_ = (-3i * -(_e118));
    let c0_ = (((a.x < a.y) && (a.y < a.z)) || (a.x < a.z));
    let c1_ = (((a.x < a.y) || (a.y < a.z)) && (a.x < a.z));
    let c2_ = !((a.x < a.y));
    let c3_ = ((a.x < a.y) != !(true));
    let c4_ = ((a.x < a.y) == (a.y < a.z));
    let color = vec4(f0_);
    return VertexOutput(a, color);
}
