//! Every arithmetic operation on the values where it changes its ways, beside what PTX and the listings say of it,
//! computed here with whole numbers and binary64.

use unshade_isa_common::texture::NoTextures;
use unshade_isa_maxwell::Form;
use unshade_isa_maxwell::exec::{End, Flags, Lane, Program, Resources};
use unshade_stage::{Maxwell, StageKind};

const EXIT: u64 = 0xe300_0000_0007_000f;

/// A word of a form: D = R0, A = R1, B = R2, C = R3, guard always, and fields (position, value).
fn word(form: Form, fields: &[(u32, u64)]) -> u64 {
    let mut word = form.value() | 0x7 << 16 | 1 << 8;
    for &(at, value) in fields {
        word |= value << at;
    }
    word
}

/// B is R2 and C is R3.
fn registers(form: Form, fields: &[(u32, u64)]) -> u64 {
    let mut all = vec![(20, 2), (39, 3)];
    all.extend_from_slice(fields);
    word(form, &all)
}

/// A conversion: its first operand does not exist, and says formats instead.
fn converted(form: Form, fields: &[(u32, u64)]) -> u64 {
    let word = two(form, fields);
    let formats: u64 =
        fields.iter().filter(|(at, _)| (8..16).contains(at)).map(|(at, value)| value << at).sum();
    word & !0xFF00 | formats
}

/// B is R2; bits 39-42 are other things.
fn two(form: Form, fields: &[(u32, u64)]) -> u64 {
    let mut all = vec![(20, 2)];
    all.extend_from_slice(fields);
    word(form, &all)
}

/// Always, where a predicate is in bits 39-41.
const PT: (u32, u64) = (39, 7);

fn lane(values: &[u32]) -> Lane {
    let mut lane = Lane::default();
    lane.registers[0] = 0x5555_5555;
    lane.registers[1..=values.len()].copy_from_slice(values);
    lane
}

fn run_from(word: u64, mut lane: Lane) -> Lane {
    let words = [0x7e0, word, EXIT, EXIT].map(|word: u64| [word as u32, (word >> 32) as u32]);
    let program = Program::with(StageKind::Vertex, words.as_flattened(), 0, Maxwell::default());
    let lanes = std::slice::from_mut(&mut lane);
    let outcome = program.run(lanes, &mut Resources::default(), &mut NoTextures, 100);
    assert_eq!(outcome.end, End::Ended, "{word:016x}");
    lane
}

fn run(word: u64, values: &[u32]) -> u32 {
    run_from(word, lane(values)).registers[0]
}

fn same(a: u32, b: u32) -> bool {
    a == b || f32::from_bits(a).is_nan() && f32::from_bits(b).is_nan()
}

#[track_caller]
fn check(word: u64, values: &[u32], want: u32) {
    let got = run(word, values);
    assert!(same(got, want), "{word:016x} {values:x?}: {got:08x}, expected {want:08x}");
}

/// Words at the edges and in between.
const WORDS: [u32; 14] = [
    0,
    1,
    2,
    31,
    32,
    0x7fff,
    0x8000,
    0xffff,
    0x1_0000,
    0x1234_5678,
    0x7fff_ffff,
    0x8000_0000,
    0xdead_beef,
    u32::MAX,
];

const FLOATS: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1.5,
    -0.375,
    100.0,
    0.333_333_34,
    16_777_216.0,
    1.000_000_1,
    -2.5,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::MIN_POSITIVE,
    1e-40,
];

fn flushed(a: f32) -> f32 {
    if a.is_subnormal() { 0.0_f32.copysign(a) } else { a }
}

/// A binary64 that holds a result exactly, rounded by a rule: 0 nearest, 1 down, 2 up, 3 towards zero.
fn rounded(exact: f64, mode: u64) -> f32 {
    let near = exact as f32;
    let wide = f64::from(near);
    match mode {
        1 if wide > exact => near.next_down(),
        2 if wide < exact => near.next_up(),
        3 if wide.abs() > exact.abs() => {
            if near > 0.0 {
                near.next_down()
            } else {
                near.next_up()
            }
        }
        _ => near,
    }
}

#[test]
fn float_sums_and_products() {
    for x in FLOATS {
        for y in FLOATS {
            let args = [x.to_bits(), y.to_bits()];
            let (fx, fy) = (flushed(x), flushed(y));
            check(two(Form::FaddR, &[]), &args, (x + y).to_bits());
            check(two(Form::FaddR, &[(44, 1)]), &args, flushed(fx + fy).to_bits());
            check(two(Form::FaddR, &[(48, 1)]), &args, (-x + y).to_bits());
            check(two(Form::FaddR, &[(45, 1), (46, 1)]), &args, (x.abs() - y).to_bits());
            check(two(Form::FmulR, &[]), &args, (x * y).to_bits());
            check(two(Form::FmulR, &[(44, 1)]), &args, flushed(fx * fy).to_bits());
            check(two(Form::FmulR, &[(48, 1)]), &args, (x * -y).to_bits());
            // FMZ: zero wins.
            let zero = fx == 0.0 || fy == 0.0;
            let product = if zero { 0.0 } else { flushed(fx * fy) };
            check(two(Form::FmulR, &[(44, 2)]), &args, product.to_bits());
            // SAT: no number is zero.
            let sum = x + y;
            let clamped = if sum > 0.0 { sum.min(1.0) } else { 0.0 };
            check(two(Form::FaddR, &[(50, 1)]), &args, clamped.to_bits());
        }
    }
}

#[test]
fn rounding_modes() {
    // Exponents near enough that binary64 holds sums and products exactly.
    let values = [1.0_f32, 1.000_000_1, -1.000_000_1, 0.333_333_34, -0.333_333_34, 3.0e5, -7.123_457e-3];
    for x in values {
        for y in values {
            for mode in 0..4 {
                let args = [x.to_bits(), y.to_bits()];
                let sum = f64::from(x) + f64::from(y);
                if sum != 0.0 {
                    check(two(Form::FaddR, &[(39, mode)]), &args, rounded(sum, mode).to_bits());
                }
                let product = f64::from(x) * f64::from(y);
                check(two(Form::FmulR, &[(39, mode)]), &args, rounded(product, mode).to_bits());
            }
        }
    }
    // What cancels is negative where rounding goes down.
    check(two(Form::FaddR, &[(39, 1)]), &[1.0_f32.to_bits(), (-1.0_f32).to_bits()], (-0.0_f32).to_bits());
    check(two(Form::FaddR, &[(39, 0)]), &[1.0_f32.to_bits(), (-1.0_f32).to_bits()], 0);
}

#[test]
fn scaled_products() {
    let factors = [1.0, 0.5, 0.25, 0.125, 8.0, 4.0, 2.0];
    for (n, factor) in (0..).zip(factors) {
        let (x, y) = (1.1_f32, 3.3_f32);
        let want = (f64::from(x) * f64::from(y) * factor) as f32;
        check(two(Form::FmulR, &[(41, n)]), &[x.to_bits(), y.to_bits()], want.to_bits());
    }
}

#[test]
fn fused_products() {
    for x in FLOATS {
        for y in FLOATS {
            for z in [0.0, -0.0, 1.0, -100.0, f32::INFINITY, 1e-40] {
                let args = [x, y, z].map(f32::to_bits);
                check(registers(Form::FfmaR, &[]), &args, x.mul_add(y, z).to_bits());
                check(registers(Form::FfmaR, &[(48, 1)]), &args, x.mul_add(-y, z).to_bits());
                check(registers(Form::FfmaR, &[(49, 1)]), &args, x.mul_add(y, -z).to_bits());
            }
        }
    }
    // Once: the product alone would round to one.
    let x = 1.0 + f32::EPSILON;
    let want = (f64::from(x) * f64::from(x) - 1.0) as f32;
    check(registers(Form::FfmaR, &[]), &[x.to_bits(), x.to_bits(), (-1.0_f32).to_bits()], want.to_bits());
    // FMZ: no number times zero is zero.
    check(registers(Form::FfmaR, &[(53, 2)]), &[f32::NAN.to_bits(), 0, 5.0_f32.to_bits()], 5.0_f32.to_bits());
}

#[test]
fn least_and_largest() {
    for x in FLOATS {
        for y in FLOATS {
            let args = [x.to_bits(), y.to_bits()];
            let least = if x.is_nan() {
                y
            } else if y.is_nan() || x < y || x == y && x.is_sign_negative() {
                x
            } else {
                y
            };
            let most = if x.is_nan() {
                y
            } else if y.is_nan() || x > y || x == y && x.is_sign_positive() {
                x
            } else {
                y
            };
            check(two(Form::FmnmxR, &[PT]), &args, least.to_bits());
            check(two(Form::FmnmxR, &[PT, (42, 1)]), &args, most.to_bits());
        }
    }
    for x in WORDS {
        for y in WORDS {
            check(two(Form::ImnmxR, &[PT]), &[x, y], x.min(y));
            check(two(Form::ImnmxR, &[PT, (42, 1)]), &[x, y], x.max(y));
            let (a, b) = (x as i32, y as i32);
            check(two(Form::ImnmxR, &[PT, (48, 1)]), &[x, y], a.min(b) as u32);
            check(two(Form::ImnmxR, &[PT, (42, 1), (48, 1)]), &[x, y], a.max(b) as u32);
        }
    }
}

#[test]
fn comparisons_of_floats() {
    for x in FLOATS {
        for y in FLOATS {
            let args = [x.to_bits(), y.to_bits()];
            for code in 0..16_u64 {
                let less = code & 1 != 0 && x < y;
                let equal = code & 2 != 0 && x == y;
                let greater = code & 4 != 0 && x > y;
                let unordered = code & 8 != 0 && (x.is_nan() || y.is_nan());
                let holds = less || equal || greater || unordered;
                let mask = if holds { u32::MAX } else { 0 };
                check(two(Form::FsetR, &[PT, (48, code)]), &args, mask);
                let one = if holds { 1.0_f32.to_bits() } else { 0 };
                check(two(Form::FsetR, &[PT, (48, code), (52, 1)]), &args, one);
                // P1 the result, P2 the opposite.
                let p = run_from(two(Form::FsetpR, &[PT, (48, code), (3, 1), (0, 2)]), lane(&args));
                assert_eq!(
                    (p.predicates >> 1 & 1, p.predicates >> 2 & 1),
                    (u8::from(holds), u8::from(!holds))
                );
            }
        }
    }
    // FCMP: C decides.
    for (c, want) in [(1.0_f32, 10), (-1.0, 20), (0.0, 20), (f32::NAN, 20)] {
        check(registers(Form::FcmpR, &[(48, 4)]), &[10, 20, c.to_bits()], want);
    }
}

#[test]
fn functions() {
    let near = |word: u64, x: f32, want: f64| {
        let got = f64::from(f32::from_bits(run(word, &[x.to_bits()])));
        assert!((got - want).abs() <= 3e-7 * want.abs().max(1.0), "{x}: {got}, expected {want}");
    };
    for x in [0.1_f32, 0.5, 1.0, 2.0, 3.5, 10.0] {
        let wide = f64::from(x);
        near(word(Form::Mufu, &[(20, 0)]), x, wide.cos());
        near(word(Form::Mufu, &[(20, 1)]), x, wide.sin());
        near(word(Form::Mufu, &[(20, 2)]), x, wide.exp2());
        near(word(Form::Mufu, &[(20, 3)]), x, wide.log2());
        near(word(Form::Mufu, &[(20, 4)]), x, 1.0 / wide);
        near(word(Form::Mufu, &[(20, 5)]), x, 1.0 / wide.sqrt());
        near(word(Form::Mufu, &[(20, 8)]), x, wide.sqrt());
    }
    check(word(Form::Mufu, &[(20, 4)]), &[0], f32::INFINITY.to_bits());
    check(word(Form::Mufu, &[(20, 4)]), &[0x8000_0000], f32::NEG_INFINITY.to_bits());
    check(word(Form::Mufu, &[(20, 3)]), &[0], f32::NEG_INFINITY.to_bits());
    check(word(Form::Mufu, &[(20, 5)]), &[(-1.0_f32).to_bits()], f32::NAN.to_bits());
    // The upper half of 1 / 4.0.
    let four = (4.0_f64.to_bits() >> 32) as u32;
    check(word(Form::Mufu, &[(20, 6)]), &[four], (0.25_f64.to_bits() >> 32) as u32);
    check(word(Form::Mufu, &[(20, 7)]), &[four], (0.5_f64.to_bits() >> 32) as u32);
    check(two(Form::RroR, &[]), &[0, 0x4321_0000], 0x4321_0000);
}

fn halves(bits: u64) -> [u32; 2] {
    [bits as u32, (bits >> 32) as u32]
}

#[test]
fn doubles() {
    let values = [0.0_f64, -0.0, 1.0, -1.5, 1e300, 1e-300, 0.1, f64::INFINITY];
    // A = R2:R3, B = R4:R5, C = R6:R7, D = R0:R1.
    let pairs = |form: Form, fields: &[(u32, u64)]| {
        let mut word = form.value() | 7 << 16 | 2 << 8 | 4 << 20;
        fields.iter().for_each(|&(at, value)| word |= value << at);
        word
    };
    let run = |word: u64, a: f64, b: f64, c: f64| {
        let mut lane = Lane::default();
        for (n, bits) in [a, b, c].into_iter().enumerate() {
            lane.registers[2 + 2 * n..][..2].copy_from_slice(&halves(bits.to_bits()));
        }
        let lane = run_from(word, lane);
        f64::from_bits(u64::from(lane.registers[0]) | u64::from(lane.registers[1]) << 32)
    };
    let equal = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    for a in values {
        for b in values {
            assert!(equal(run(pairs(Form::DaddR, &[]), a, b, 0.0), a + b));
            assert!(equal(run(pairs(Form::DaddR, &[(45, 1)]), a, b, 0.0), a - b));
            assert!(equal(run(pairs(Form::DmulR, &[]), a, b, 0.0), a * b));
            for c in values {
                assert!(equal(run(pairs(Form::DfmaR, &[(39, 6)]), a, b, c), a.mul_add(b, c)));
            }
            let less = run_from(pairs(Form::DsetR, &[PT, (48, 1)]), {
                let mut lane = Lane::default();
                lane.registers[2..4].copy_from_slice(&halves(a.to_bits()));
                lane.registers[4..6].copy_from_slice(&halves(b.to_bits()));
                lane
            });
            assert_eq!(less.registers[0] != 0, a < b);
        }
    }
    assert_eq!(run(pairs(Form::DaddR, &[(39, 2)]), 1.0, 1e-300, 0.0), 1.0_f64.next_up());
    assert_eq!(run(pairs(Form::DmnmxR, &[PT]), 3.0, -2.0, 0.0), -2.0);
}

/// Halves that are exact: (bits, value).
const HALVES: [(u32, f32); 8] = [
    (0x0000, 0.0),
    (0x3c00, 1.0),
    (0xbc00, -1.0),
    (0x3800, 0.5),
    (0x4248, 3.140_625),
    (0x7bff, 65504.0),
    (0x0001, 5.960_464_5e-8),
    (0xc000, -2.0),
];

/// To the nearest binary16, ties to even; for finite values.
fn nearest_half(value: f64) -> u32 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    let step = |exponent: i32| 2.0_f64.powi(exponent);
    let exponent = if magnitude < step(-14) { -14 } else { magnitude.log2().floor() as i32 };
    let units = (magnitude / step(exponent - 10)).round_ties_even() as u32;
    let bits = if units < 1024 { units } else { ((exponent + 15) as u32) << 10 | (units - 1024) };
    // A carry of the fraction raises the exponent.
    let bits = if units == 2048 { ((exponent + 16) as u32) << 10 } else { bits };
    sign | bits.min(0x7c00)
}

#[test]
fn pairs_of_halves() {
    for (ab, a) in HALVES {
        for (bb, b) in HALVES {
            let args = [ab | bb << 16, bb | ab << 16, 0x3c00_3c00];
            let (x, y) = (f64::from(a), f64::from(b));
            let sum = nearest_half(x + y);
            check(two(Form::Hadd2R, &[]), &args, sum | sum << 16);
            let product = nearest_half(x * y);
            check(two(Form::Hmul2R, &[]), &args, product | product << 16);
            let fused = nearest_half(x.mul_add(y, 1.0));
            check(registers(Form::Hfma2R, &[]), &args, fused | fused << 16);
            // The lower half of A twice, the upper of B twice: a + a; as a binary32.
            let low = ((x + x) as f32).to_bits();
            check(two(Form::Hadd2R, &[(47, 2), (28, 3), (49, 1)]), &args, low);
            // Into the upper half alone.
            check(two(Form::Hadd2R, &[(49, 3)]), &args, 0x5555 | sum << 16);
            let less = |p: f32, q: f32| if p < q { 0xffff } else { 0 };
            check(two(Form::Hset2R, &[PT, (35, 1)]), &args, less(a, b) | less(b, a) << 16);
        }
    }
}

#[test]
fn integer_sums() {
    for x in WORDS {
        for y in WORDS {
            check(two(Form::IaddR, &[]), &[x, y], x.wrapping_add(y));
            check(two(Form::IaddR, &[(48, 1)]), &[x, y], x.wrapping_sub(y));
            check(two(Form::IaddR, &[(49, 1)]), &[x, y], y.wrapping_sub(x));
            check(two(Form::IaddR, &[(48, 1), (49, 1)]), &[x, y], x.wrapping_add(y).wrapping_add(1));
            let (a, b) = (i64::from(x as i32), i64::from(y as i32));
            let clamped = (a + b).clamp(i32::MIN.into(), i32::MAX.into()) as u32;
            check(two(Form::IaddR, &[(50, 1)]), &[x, y], clamped);
            // 64-bit sums and differences in two steps.
            for negate in [0, 1] {
                let low = run_from(two(Form::IaddR, &[(47, 1), (48, negate)]), lane(&[x, y]));
                let mut upper = lane(&[y, x]);
                upper.flags = low.flags;
                let high = run_from(two(Form::IaddR, &[(43, 1), (48, negate)]), upper);
                let (p, q) = (u64::from(x) | u64::from(y) << 32, u64::from(y) | u64::from(x) << 32);
                let want = if negate == 1 { p.wrapping_sub(q) } else { p.wrapping_add(q) };
                let got = u64::from(low.registers[0]) | u64::from(high.registers[0]) << 32;
                assert_eq!(got, want, "{p:x} {q:x}");
            }
            let flags = run_from(two(Form::IaddR, &[(47, 1)]), lane(&[x, y])).flags;
            let sum = x.wrapping_add(y);
            let want = Flags {
                zero: sum == 0,
                sign: (sum as i32) < 0,
                carry: u64::from(x) + u64::from(y) > u64::from(u32::MAX),
                overflow: (x as i32).checked_add(y as i32).is_none(),
            };
            assert_eq!(flags, want);
            for z in [0, 7, u32::MAX] {
                let three = x.wrapping_add(y).wrapping_add(z);
                check(registers(Form::Iadd3R, &[]), &[x, y, z], three);
                check(registers(Form::Iadd3R, &[(49, 1)]), &[x, y, z], x.wrapping_add(y).wrapping_sub(z));
                let parts = (x & 0xffff) + (y >> 16);
                check(registers(Form::Iadd3R, &[(35, 1), (33, 2)]), &[x, y, z], parts.wrapping_add(z));
                // The sum has 33 bits before it is shifted.
                let shifted = ((u64::from(x) + u64::from(y)) >> 16) as u32;
                let shifted = shifted.wrapping_add(z);
                check(registers(Form::Iadd3R, &[(37, 1)]), &[x, y, z], shifted);
            }
            for shift in [0, 2, 31] {
                check(two(Form::IscaddR, &[(39, shift)]), &[x, y], (x << shift).wrapping_add(y));
                check(two(Form::LeaR, &[(39, shift), (48, 7)]), &[x, y], (x << shift).wrapping_add(y));
                let wide = u64::from(x) | 0x1234_5678 << 32;
                let want = ((wide << shift >> 32) as u32).wrapping_add(y);
                let high = registers(Form::LeaHiR, &[(28, shift), (48, 7)]);
                check(high, &[x, y, 0x1234_5678], want);
            }
        }
    }
}

#[test]
fn integer_products() {
    let wide = |x: u32, signed: u64| if signed == 1 { i128::from(x as i32) } else { i128::from(x) };
    for x in WORDS {
        for y in WORDS {
            for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let product = wide(x, a) * wide(y, b);
                check(two(Form::ImulR, &[(40, a), (41, b)]), &[x, y], product as u32);
                check(two(Form::ImulR, &[(39, 1), (40, a), (41, b)]), &[x, y], (product >> 32) as u32);
                let z = 0x89ab_cdef_u32;
                let low = (product as u32).wrapping_add(z);
                check(registers(Form::ImadR, &[(48, a), (53, b)]), &[x, y, z], low);
                let high = ((product >> 32) as u32).wrapping_add(z);
                check(registers(Form::ImadR, &[(48, a), (53, b), (54, 1)]), &[x, y, z], high);
                let minus = (product as u32).wrapping_sub(z);
                check(registers(Form::ImadR, &[(48, a), (53, b), (51, 1)]), &[x, y, z], minus);
                let rest = z.wrapping_sub(product as u32);
                check(registers(Form::ImadR, &[(48, a), (53, b), (52, 1)]), &[x, y, z], rest);
            }
            // IMADSP: 16 bits of A, 24 of B, all of C.
            let parts = (u64::from(x >> 16) * u64::from(y & 0xff_ffff)) as u32;
            check(registers(Form::ImadspR, &[(49, 3)]), &[x, y, 9], parts.wrapping_add(9));
        }
    }
}

#[test]
fn products_of_halves() {
    let half = |x: u32, high: u64, signed: u64| {
        let bits = if high == 1 { x >> 16 } else { x & 0xffff };
        if signed == 1 { i64::from(bits as u16 as i16) } else { i64::from(bits) }
    };
    for x in WORDS {
        for y in WORDS {
            for z in [0, 0x8765_4321, u32::MAX] {
                for bits in 0..16_u64 {
                    let (ha, hb, sa, sb) = (bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3);
                    let product = (half(x, ha, sa) * half(y, hb, sb)) as u32;
                    let with = |more: &[(u32, u64)]| {
                        let mut fields = vec![(53, ha), (35, hb), (48, sa), (49, sb)];
                        fields.extend_from_slice(more);
                        registers(Form::XmadR, &fields)
                    };
                    let args = [x, y, z];
                    check(with(&[]), &args, product.wrapping_add(z));
                    check(with(&[(36, 1)]), &args, (product << 16).wrapping_add(z));
                    check(with(&[(50, 1)]), &args, product.wrapping_add(z & 0xffff));
                    check(with(&[(50, 2)]), &args, product.wrapping_add(z >> 16));
                    check(with(&[(50, 4)]), &args, product.wrapping_add(z).wrapping_add(y << 16));
                    let merged = product.wrapping_add(z) & 0xffff | y << 16;
                    check(with(&[(37, 1)]), &args, merged);
                }
            }
            // Three of them are one multiply: XMAD, XMAD.MRG, XMAD.PSL.CBCC.
            let z = 0x1357_9bdf;
            let t = run(registers(Form::XmadR, &[]), &[x, y, z]);
            let u = run(registers(Form::XmadR, &[(35, 1), (37, 1)]), &[x, y, 0]);
            let last = registers(Form::XmadR, &[(36, 1), (50, 4), (53, 1), (35, 1)]);
            check(last, &[x, u, t], x.wrapping_mul(y).wrapping_add(z));
        }
    }
}

#[test]
fn comparisons_of_integers() {
    for x in WORDS {
        for y in WORDS {
            for code in 0..8_u64 {
                for signed in [0, 1] {
                    let order = if signed == 1 { (x as i32).cmp(&(y as i32)) } else { x.cmp(&y) };
                    let holds = code & 1 != 0 && order.is_lt()
                        || code & 2 != 0 && order.is_eq()
                        || code & 4 != 0 && order.is_gt();
                    let fields = [PT, (49, code), (48, signed)];
                    check(two(Form::IsetR, &fields), &[x, y], if holds { u32::MAX } else { 0 });
                    // Upper halves, behind a difference of lower halves.
                    let low = run_from(two(Form::IaddR, &[(47, 1), (48, 1)]), lane(&[y, x]));
                    let mut upper = lane(&[x, y]);
                    upper.flags = low.flags;
                    let fields = [PT, (49, code), (48, signed), (43, 1)];
                    let got = run_from(two(Form::IsetR, &fields), upper).registers[0] != 0;
                    let (p, q) = (u64::from(y) | u64::from(x) << 32, u64::from(x) | u64::from(y) << 32);
                    let order = if signed == 1 { (p as i64).cmp(&(q as i64)) } else { p.cmp(&q) };
                    let holds = code & 1 != 0 && order.is_lt()
                        || code & 2 != 0 && order.is_eq()
                        || code & 4 != 0 && order.is_gt();
                    assert_eq!(got, holds, "{p:x} {q:x} {code} {signed}");
                }
            }
        }
    }
    check(registers(Form::IcmpR, &[(49, 1), (48, 1)]), &[10, 20, u32::MAX], 10);
    check(registers(Form::IcmpR, &[(49, 1)]), &[10, 20, u32::MAX], 20);
}

#[test]
fn logic_and_shifts() {
    for x in WORDS {
        for y in WORDS {
            check(two(Form::LopR, &[(48, 7)]), &[x, y], x & y);
            check(two(Form::LopR, &[(48, 7), (41, 1)]), &[x, y], x | y);
            check(two(Form::LopR, &[(48, 7), (41, 2)]), &[x, y], x ^ y);
            check(two(Form::LopR, &[(48, 7), (41, 3)]), &[x, y], y);
            check(two(Form::LopR, &[(48, 7), (39, 1), (40, 1)]), &[x, y], !x & !y);
            let p = run_from(two(Form::LopR, &[(48, 1), (44, 3)]), lane(&[x, y])).predicates;
            assert_eq!(p >> 1 & 1 == 1, x & y != 0);
            for (table, want) in [(0x96_u64, x ^ y ^ 0xff00), (0xe8, x & y | x & 0xff00 | y & 0xff00)] {
                check(registers(Form::Lop3R, &[(28, table), (48, 7)]), &[x, y, 0xff00], want);
            }
            let long = |shifted: Option<u32>| shifted.unwrap_or(0);
            check(two(Form::ShlR, &[]), &[x, y], long(x.checked_shl(y)));
            check(two(Form::ShlR, &[(39, 1)]), &[x, y], x << (y & 31));
            check(two(Form::ShrR, &[]), &[x, y], long(x.checked_shr(y)));
            check(two(Form::ShrR, &[(48, 1)]), &[x, y], ((x as i32) >> y.min(31)) as u32);
            check(two(Form::ShrR, &[(39, 1), (40, 1)]), &[x, y], x.reverse_bits() >> (y & 31));
            let pair = u64::from(x) | 0xdead_beef << 32;
            let left = (pair << y.min(32) >> 32) as u32;
            check(registers(Form::ShfLR, &[]), &[x, y, 0xdead_beef], left);
            check(registers(Form::ShfRR, &[]), &[x, y, 0xdead_beef], (pair >> y.min(32)) as u32);
            check(registers(Form::ShfRR, &[(50, 1)]), &[x, y, 0xdead_beef], (pair >> (y & 31)) as u32);
            let signed = ((pair as i64) >> y.min(63)) as u32;
            check(registers(Form::ShfRR, &[(37, 3)]), &[x, y, 0xdead_beef], signed);
        }
        check(two(Form::PopcR, &[]), &[0, x], x.count_ones());
        check(two(Form::PopcR, &[(40, 1)]), &[0, x], x.count_zeros());
        let highest = if x == 0 { u32::MAX } else { 31 - x.leading_zeros() };
        check(two(Form::FloR, &[]), &[0, x], highest);
        check(two(Form::FloR, &[(41, 1)]), &[0, x], if x == 0 { u32::MAX } else { x.leading_zeros() });
        let differs = if (x as i32) < 0 { !x } else { x };
        let signed = if differs == 0 { u32::MAX } else { 31 - differs.leading_zeros() };
        check(two(Form::FloR, &[(48, 1)]), &[0, x], signed);
        check(two(Form::SelR, &[PT]), &[x, 5], x);
        check(two(Form::SelR, &[PT, (42, 1)]), &[x, 5], 5);
        check(two(Form::MovR, &[(39, 15)]), &[0, x], x);
        check(two(Form::MovR, &[(39, 14)]), &[0, x], 0x5555_5555);
    }
}

/// PTX's own words for `bfe`.
fn bfe(a: u32, at: u32, len: u32, signed: bool) -> u32 {
    let bit = |n: u32| a >> n.min(31) & 1;
    let sign = if !signed || len == 0 { 0 } else { bit((at + len - 1).min(31)) };
    (0..32).fold(0, |d, n| d | (if n < len && at + n <= 31 { bit(at + n) } else { sign }) << n)
}

#[test]
fn bit_fields_and_bytes() {
    for x in WORDS {
        for at in [0, 3, 16, 31, 32, 200] {
            for len in [0, 1, 8, 31, 32, 255] {
                let packed = at | len << 8;
                check(two(Form::BfeR, &[]), &[x, packed], bfe(x, at, len, false));
                check(two(Form::BfeR, &[(48, 1)]), &[x, packed], bfe(x, at, len, true));
                check(two(Form::BfeR, &[(40, 1)]), &[x, packed], bfe(x.reverse_bits(), at, len, false));
                let c = 0x0f1e_2d3c_u32;
                let want = (0..len.min(32))
                    .filter(|n| at + n <= 31)
                    .fold(c, |f, n| f & !(1 << (at + n)) | (x >> n & 1) << (at + n));
                check(registers(Form::BfiR, &[]), &[x, packed, c], want);
            }
        }
    }
    let (a, c) = (0x8382_8180_u32, 0x8786_8504_u32);
    let permute = |selector: u32, mode: u64| run(registers(Form::PrmtR, &[(48, mode)]), &[a, selector, c]);
    assert_eq!(permute(0x7531, 0), 0x8785_8381);
    // Bit 3 of a nibble: the sign of the byte; byte 4 is positive.
    assert_eq!(permute(0xfc84, 0), 0xff00_ff04);
    assert_eq!([0, 1, 2, 3].map(|n| permute(n, 1)), [0x8382_8180, 0x0483_8281, 0x8504_8382, 0x8685_0483]);
    assert_eq!([0, 1, 2, 3].map(|n| permute(n, 2)), [0x8586_8780, 0x8687_8081, 0x8780_8182, 0x8081_8283]);
    assert_eq!(permute(2, 3), 0x8282_8282);
    assert_eq!([0, 1, 2, 3].map(|n| permute(n, 4)), [0x8382_8180, 0x8382_8181, 0x8382_8282, 0x8383_8383]);
    assert_eq!([0, 1, 2, 3].map(|n| permute(n, 5)), [0x8080_8080, 0x8181_8180, 0x8282_8180, 0x8382_8180]);
    assert_eq!([0, 1, 2, 3].map(|n| permute(n, 6)), [0x8180_8180, 0x8382_8382, 0x8180_8180, 0x8382_8382]);
}

#[test]
fn conversions() {
    for x in FLOATS.into_iter().chain([0.5, 2.5, -0.5, 3e9, -3e9, 1e20, 255.7]) {
        let exact = f64::from(x);
        let by = |mode: u64| match mode {
            0 => exact.round_ties_even(),
            1 => exact.floor(),
            2 => exact.ceil(),
            _ => exact.trunc(),
        };
        for mode in 0..4 {
            let fields = [(8, 2), (10, 2), (39, mode)];
            // The cast saturates, and no number becomes zero.
            check(converted(Form::F2iR, &fields), &[0, x.to_bits()], by(mode) as u32);
            let fields = [(8, 2), (10, 2), (12, 1), (39, mode)];
            check(converted(Form::F2iR, &fields), &[0, x.to_bits()], by(mode) as i32 as u32);
            // F2F between binary32 with rounding to whole numbers.
            let fields = [(8, 2), (10, 2), (39, mode), (42, 1)];
            check(converted(Form::F2fR, &fields), &[0, x.to_bits()], (by(mode) as f32).to_bits());
        }
        let wide = run_from(converted(Form::F2fR, &[(8, 3), (10, 2)]), lane(&[0, x.to_bits()]));
        let bits = u64::from(wide.registers[0]) | u64::from(wide.registers[1]) << 32;
        assert!(f64::from_bits(bits) == exact || exact.is_nan() && f64::from_bits(bits).is_nan());
        if x.abs() < 60000.0 {
            check(converted(Form::F2fR, &[(8, 1), (10, 2)]), &[0, x.to_bits()], nearest_half(exact));
        }
        let clamped = if x > 0.0 { x.min(1.0) } else { 0.0 };
        check(converted(Form::F2fR, &[(8, 2), (10, 2), (50, 1)]), &[0, x.to_bits()], clamped.to_bits());
        let changed = -x.abs();
        check(
            converted(Form::F2fR, &[(8, 2), (10, 2), (45, 1), (49, 1)]),
            &[0, x.to_bits()],
            changed.to_bits(),
        );
    }
    for (bits, value) in HALVES {
        check(converted(Form::F2fR, &[(8, 2), (10, 1)]), &[0, bits], value.to_bits());
        check(converted(Form::F2fR, &[(8, 2), (10, 1), (41, 1)]), &[0, bits << 16], value.to_bits());
    }
    for x in WORDS {
        for mode in 0..4 {
            let fields = [(8, 2), (10, 2), (39, mode)];
            check(converted(Form::I2fR, &fields), &[0, x], rounded(f64::from(x), mode).to_bits());
            let fields = [(8, 2), (10, 2), (13, 1), (39, mode)];
            check(converted(Form::I2fR, &fields), &[0, x], rounded(f64::from(x as i32), mode).to_bits());
        }
        for byte in 0..4_u32 {
            let part = x >> (8 * byte) & 0xff;
            let fields = [(8, 2), (10, 0), (41, u64::from(byte))];
            check(converted(Form::I2fR, &fields), &[0, x], (part as f32).to_bits());
            let fields = [(8, 2), (10, 0), (13, 1), (41, u64::from(byte))];
            check(converted(Form::I2fR, &fields), &[0, x], f32::from(part as u8 as i8).to_bits());
        }
        // I2I: 32 signed bits to 8, 16, saturated and not; magnitude.
        let signed = x as i32;
        let to = |size: u64, sign: u64, saturate: u64| {
            converted(Form::I2iR, &[(8, size), (12, sign), (10, 2), (13, 1), (50, saturate)])
        };
        check(to(0, 0, 1), &[0, x], signed.clamp(0, 255) as u32);
        check(to(0, 1, 1), &[0, x], signed.clamp(-128, 127) as u32);
        check(to(1, 0, 1), &[0, x], signed.clamp(0, 65535) as u32);
        check(to(1, 1, 0), &[0, x], x & 0xffff);
        check(to(1, 0, 0), &[0, x], x & 0xffff);
        let magnitude = converted(Form::I2iR, &[(8, 2), (12, 1), (10, 2), (13, 1), (49, 1)]);
        check(magnitude, &[0, x], signed.wrapping_abs() as u32);
    }
}

#[test]
fn predicates_and_the_condition_code() {
    for bits in 0..8_u8 {
        let mut state = lane(&[]);
        state.predicates = bits;
        let [a, b, c] = [0, 1, 2].map(|n| bits >> n & 1 == 1);
        for (first, second) in [(0, 0), (1, 2), (2, 1)] {
            let with = |op: u64, x: bool, y: bool| match op {
                0 => x && y,
                1 => x || y,
                _ => x != y,
            };
            let fields = [(24, first), (45, second), (29, 1), (39, 2), (0, 4), (3, 3)];
            // P3 = (P0 op P1) op P2, P4 = (!P0 op P1) op P2; A is bits 12-14, which the builder leaves at P0.
            let word = Form::Psetp.value() | 7 << 16 | fields.iter().fold(0, |all, (at, v)| all | v << at);
            let got = run_from(word, state.clone()).predicates;
            let value = with(first, a, b);
            assert_eq!(got >> 3 & 1 == 1, with(second, value, c));
            assert_eq!(got >> 4 & 1 == 1, with(second, with(first, !a, b), c));
        }
        // P2R and R2P with a mask.
        let packed = run_from(two(Form::P2rR, &[(41, 1)]), {
            let mut state = state.clone();
            (state.registers[1], state.registers[2]) = (0xaaaa_aaaa, 5);
            state
        });
        assert_eq!(packed.registers[0], 0xaaaa_aaaa & !0x500 | u32::from(bits & 5) << 8);
        let back = run_from(two(Form::R2pR, &[(41, 1)]), {
            let mut state = state.clone();
            (state.registers[1], state.registers[2]) = (0x0000_7a00, 0x0f);
            state
        });
        assert_eq!(back.predicates, bits & !0x0f | 0x0a);
    }
    // Conditions of a signed difference.
    for (a, b) in [(1_i32, 2_i32), (2, 1), (5, 5), (i32::MIN, 1), (i32::MAX, -1)] {
        let state = run_from(two(Form::IaddR, &[(47, 1), (48, 1)]), lane(&[a as u32, b as u32]));
        let wants = [(1, a < b), (2, a == b), (4, a > b), (5, a != b), (6, a >= b), (15, true), (0, false)];
        for (code, want) in wants {
            let word = Form::Cset.value() | 7 << 16 | code << 8 | 7 << 39;
            assert_eq!(run_from(word, state.clone()).registers[0] != 0, want, "{a} {b} {code}");
        }
        let unsigned = (a as u32) >= b as u32;
        for (code, want) in [(22_u64, unsigned), (17, !unsigned)] {
            let word = Form::Cset.value() | 7 << 16 | code << 8 | 7 << 39;
            assert_eq!(run_from(word, state.clone()).registers[0] != 0, want, "{a} {b} {code}");
        }
    }
}

#[test]
fn video() {
    let (a, b, c) = (0x80ff_7f01_u32, 0x0102_fe80_u32, 0x1111_1111_u32);
    // B is a register (50), no merge (51-53), parts of A (36) and B (28), signs (48, 49), signed result (54).
    let with = |form: Form, fields: &[(u32, u64)]| {
        let mut all = vec![(50, 1), (54, 1)];
        all.extend_from_slice(fields);
        registers(form, &all)
    };
    let args = [a, b, c];
    let none = (51, 7);
    check(with(Form::Vadd, &[none, (36, 1), (28, 0)]), &args, 0x7f + 0x80);
    check(with(Form::Vadd, &[none, (36, 2), (28, 1), (48, 1), (49, 1)]), &args, (-1 - 2_i32) as u32);
    check(with(Form::Vadd, &[none, (36, 1), (28, 0), (56, 1)]), &args, (0x7f - 0x80_i32) as u32);
    check(with(Form::Vadd, &[(51, 4), (36, 4), (28, 5)]), &args, 0x7f01 + 0x0102 + 0x1111_1111);
    check(with(Form::Vadd, &[(51, 0), (36, 4), (28, 5)]), &args, 0x8003_1111);
    check(with(Form::Vabsdiff, &[none, (36, 0), (28, 0)]), &args, 0x7f);
    check(with(Form::Vmnmx, &[none, (36, 6), (28, 6), (48, 1), (49, 1), (56, 1)]), &args, b);
    check(with(Form::Vmnmx, &[none, (36, 6), (28, 6), (48, 1), (49, 1)]), &args, a);
    check(with(Form::Vshl, &[none, (36, 0), (28, 3), (49, 1)]), &args, 2);
    check(with(Form::Vshr, &[none, (36, 6), (28, 3), (48, 1)]), &args, ((a as i32) >> 1) as u32);
    let product = (0x7f * 0x80_u32).wrapping_add(c);
    check(registers(Form::Vmad, &[(50, 1), (36, 1), (28, 0)]), &args, product);
    check(registers(Form::Vmad, &[(50, 1), (36, 1), (28, 0), (51, 1)]), &args, product >> 7);
    check(registers(Form::Vset, &[(50, 1), none, (54, 1), (36, 0), (28, 0)]), &args, 1);
    // SAT to the byte that it is merged into.
    let merged = with(Form::Vadd, &[(51, 2), (55, 1), (36, 1), (28, 0)]);
    check(merged, &args, 0x1111_117f);
}
