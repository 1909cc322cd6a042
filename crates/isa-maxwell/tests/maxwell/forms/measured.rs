//! What was measured on the console, held against definitions in plain arithmetic for every width, modifier and operand
//! source of the kind. Where each fact is from: docs/maxwell-hardware.md.

use super::run::{CONSTANT, Kind, halves, lane, run, word};
use unshade_isa_common::texture::NoTextures;
use unshade_isa_maxwell::Form;
use unshade_isa_maxwell::exec::{End, Fault, Flags, Lane, Program, Resources};
use unshade_stage::{Maxwell, StageKind};

const EXIT: u64 = 0xe300_0000_0007_000f;

/// A lane after a word, with the constant source.
fn after(word: u64, mut lane: Lane, constant: u64) -> Lane {
    let mut resources = Resources::default();
    resources.set_constants(CONSTANT.0, CONSTANT.1, &halves(constant));
    run(word, std::slice::from_mut(&mut lane), &mut resources, StageKind::Compute);
    lane
}

/// How a program of one word ends.
fn end(word: u64) -> End {
    let words = [0x7e0, word, EXIT, 0].map(halves);
    let program = Program::with(StageKind::Compute, words.as_flattened(), 0, Maxwell::default());
    let mut lane = Lane::default();
    program.run(std::slice::from_mut(&mut lane), &mut Resources::default(), &mut NoTextures, 100).end
}

fn pair(lane: &Lane) -> u64 {
    u64::from(lane.registers[0]) | u64::from(lane.registers[1]) << 32
}

/// A conversion's result and flags: its source is a register, a constant, or an immediate of 20 bits where the value
/// fits one.
fn converted(forms: [Form; 3], fields: &[(u32, u64)], source: u64, check: impl Fn(u64, Flags, Kind)) {
    for (form, kind) in forms.into_iter().zip([Kind::R, Kind::C, Kind::I]) {
        let place = match kind {
            Kind::R => vec![(20, 8)],
            Kind::C => vec![(20, u64::from(CONSTANT.1) / 4), (34, CONSTANT.0.into())],
            _ => {
                let bits = source as u32 as i32;
                if !(-0x8_0000..0x8_0000).contains(&bits) {
                    continue;
                }
                vec![(20, bits as u64 & 0x7ffff), (56, bits as u64 >> 19 & 1)]
            }
        };
        let fields = [&place[..], fields].concat();
        let lane = after(word(form, &fields), lane([0, source, 0]), source);
        check(pair(&lane), lane.flags, kind);
    }
}

const INTEGERS: [u64; 18] = [
    0,
    1,
    5,
    0x7f,
    0x80,
    0x90,
    0xfb,
    0xff,
    0x7fff,
    0x8000,
    0x9000,
    0xfffb,
    0x7fff_ffff,
    0x8000_0000,
    0x9000_0000,
    0xffff_fffb,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_fffb,
];

/// What a format takes of a source, and its number: a signed one wraps in its own width when its sign is changed.
fn number(source: u64, bits: u32, signed: bool, part: u32, absolute: bool, negate: bool) -> i128 {
    let word = source >> (part * bits) & if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    let as_signed = |value: i128| (((value as u128) << (128 - bits)) as i128) >> (128 - bits);
    let value = if signed { as_signed(word.into()) } else { word.into() };
    let value = if absolute { value.abs() } else { value };
    let value = if negate { -value } else { value };
    if signed { as_signed(value) } else { value }
}

#[test]
fn between_integers() {
    let forms = [Form::I2iR, Form::I2iC, Form::I2iI];
    for from in 0..6_u64 {
        for to in 0..6_u64 {
            let (bits, signed) = (8 << (from % 3), from >= 3);
            let (width, to_signed) = (8_u32 << (to % 3), to >= 3);
            for (negate, absolute) in [(false, false), (true, false), (false, true), (true, true)] {
                for saturate in [false, true] {
                    for part in 0..32 / bits {
                        for source in INTEGERS.into_iter().take(16) {
                            let value = number(source, bits, signed, part, absolute, negate);
                            let want = if saturate {
                                let (least, most) = if to_signed {
                                    (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1)
                                } else {
                                    (0, (1_i128 << width) - 1)
                                };
                                value.clamp(least, most) as u32
                            } else {
                                // Zeros above.
                                (value as u64 & ((1_u64 << width) - 1)) as u32
                            };
                            let fields = [
                                (8, to % 3),
                                (12, to_signed.into()),
                                (10, from % 3),
                                (13, signed.into()),
                                (41, u64::from(part * bits / 8)),
                                (45, negate.into()),
                                (49, absolute.into()),
                                (50, saturate.into()),
                                (47, 1),
                            ];
                            converted(forms, &fields, source, |got, flags, kind| {
                                assert_eq!(got as u32, want, "{fields:?} of {source:x}, {kind:?}");
                                assert_eq!((flags.zero, flags.sign), (want == 0, want >> 31 != 0));
                                assert!(!flags.carry && !flags.overflow);
                            });
                        }
                    }
                }
            }
        }
    }
}

/// An integer rounded to 24 bits.
fn to_single(value: i128, mode: u64) -> f32 {
    let near = value as f32;
    let (exact, wide) = (value, near as i128);
    let towards = |up: bool| match (wide.cmp(&exact), up) {
        (std::cmp::Ordering::Less, true) => near.next_up(),
        (std::cmp::Ordering::Greater, false) => near.next_down(),
        _ => near,
    };
    match mode {
        0 => near,
        1 => towards(false),
        2 => towards(true),
        _ => towards(value < 0),
    }
}

#[test]
fn from_integers_to_floats() {
    let forms = [Form::I2fR, Form::I2fC, Form::I2fI];
    for from in 0..8_u64 {
        let (bits, signed) = (8_u32 << (from % 4), from >= 4);
        for (negate, absolute) in [(false, false), (true, false), (false, true), (true, true)] {
            for part in 0..(32 / bits).max(1) {
                for mode in 0..4 {
                    for source in INTEGERS {
                        let fields = [
                            (8, 2),
                            (10, from % 4),
                            (13, signed.into()),
                            (39, mode),
                            (41, u64::from(part * bits / 8)),
                            (45, negate.into()),
                            (49, absolute.into()),
                        ];
                        converted(forms, &fields, source, |got, _, kind| {
                            // An immediate of 64 bits is its upper half.
                            let source = match kind {
                                Kind::I if bits == 64 => u64::from(source as u32) << 32,
                                _ => source,
                            };
                            let value = number(source, bits, signed, part, absolute, negate);
                            let want = to_single(value, mode).to_bits();
                            assert_eq!(got as u32, want, "{fields:?} of {source:x}, {kind:?}");
                        });
                        let double = [(8, 3), (10, from % 4), (13, signed.into()), (45, negate.into())];
                        if part == 0 && mode == 0 && !absolute && bits < 64 {
                            converted(forms, &double, source, |got, _, kind| {
                                let value = number(source, bits, signed, 0, false, negate);
                                assert_eq!(f64::from_bits(got), value as f64, "{source:x} {kind:?}");
                            });
                        }
                    }
                }
            }
        }
    }
}

/// What is no number becomes zero, or the lowest number where either side has 64 bits.
#[test]
fn no_numbers_to_integers() {
    let nan = [(1_u64, 0x7e00_u64), (2, 0x7fc0_0000), (3, 0x7ff8 << 48)];
    for (from, bits) in nan {
        for (to, signed) in [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1_u64)] {
            let word = word(Form::F2iR, &[(20, 8), (8, to), (10, from), (12, signed)]);
            if (from, to) == (1, 3) || (from, to) == (3, 1) {
                assert_eq!(end(word), End::Fault { address: 8, fault: Fault::Stopped });
                continue;
            }
            let got = after(word, lane([0, bits, 0]), 0);
            match (from, to) {
                (_, 3) => assert_eq!(pair(&got), 1 << 63, "{from} {to}"),
                (3, 2) => assert_eq!(got.registers[0], 1 << 31),
                _ => assert_eq!(got.registers[0], 0),
            }
        }
    }
}

/// Denormals are flushed where floats of 32 bits are on both sides or beside halves; halves themselves never, and nothing
/// beside a double.
#[test]
fn denormals_of_conversions() {
    let run = |to: u64, from: u64, flush: u64, source: u64| {
        pair(&after(word(Form::F2fR, &[(20, 8), (8, to), (10, from), (44, flush)]), lane([0, source, 0]), 0))
    };
    let single = 0x0000_0001_u64;
    assert_eq!(run(2, 2, 1, single) as u32, 0);
    assert_eq!(run(2, 2, 0, single) as u32, 1);
    assert_eq!(run(3, 2, 1, single), f64::from(f32::from_bits(1)).to_bits());
    let double = f64::from(f32::from_bits(0x0040_0000)).to_bits();
    assert_eq!(run(2, 3, 1, double) as u32, 0x0040_0000);
    assert_eq!(run(3, 3, 1, 5), 5);
    // 2^-24, the smallest half.
    assert_eq!(run(2, 1, 1, 1) as u32, 0x3380_0000);
    assert_eq!(run(1, 2, 1, 0x3380_0000) as u32, 1);
    assert_eq!(run(1, 1, 1, 0x8001) as u32, 0x8001);
}

/// All halves that are no number become one; doubles do not saturate.
#[test]
fn no_numbers_and_limits_of_floats() {
    let f2f = |to: u64, from: u64, saturate: u64, source: u64| {
        pair(&after(
            word(Form::F2fR, &[(20, 8), (8, to), (10, from), (50, saturate)]),
            lane([0, source, 0]),
            0,
        ))
    };
    assert_eq!(f2f(1, 1, 0, 0xffff) as u32, 0x7fff);
    assert_eq!(f2f(1, 1, 0, 0x7c01) as u32, 0x7fff);
    assert_eq!(f2f(1, 2, 0, 0xffc0_0001) as u32, 0x7fff);
    assert_eq!(f2f(1, 2, 1, 0xffc0_0001) as u32, 0);
    assert_eq!(f2f(2, 2, 1, 0x4000_0000) as u32, 0x3f80_0000);
    assert_eq!(f2f(2, 3, 1, 2.0_f64.to_bits()) as u32, 0x4000_0000);
    assert_eq!(f2f(3, 2, 1, 0x4000_0000), 2.0_f64.to_bits());
    assert_eq!(f2f(3, 3, 1, 2.0_f64.to_bits()), 2.0_f64.to_bits());
    for (to, from) in [(1, 3), (3, 1)] {
        let stopped = word(Form::F2fR, &[(20, 8), (8, to), (10, from)]);
        assert_eq!(end(stopped), End::Fault { address: 8, fault: Fault::Stopped });
    }
}

/// The 26 conditions in each of the 16 states of the condition code: bit n of a mask is state n, of which bit 0 is
/// zero, 1 sign, 2 carry, 3 overflow. As measured.
const CONDITIONS: [(u64, u16); 26] = [
    (0, 0x0000),
    (1, 0xbb44),
    (2, 0x2222),
    (3, 0x3366),
    (4, 0x4411),
    (5, 0x5555),
    (6, 0xcc33),
    (7, 0x7777),
    (8, 0x8888),
    (9, 0x33cc),
    (10, 0xaaaa),
    (11, 0xbbee),
    (12, 0xcc99),
    (13, 0xdddd),
    (14, 0x44bb),
    (15, 0xffff),
    (16, 0x00ff),
    (17, 0x0f0f),
    (18, 0x3333),
    (19, 0xafaf),
    (20, 0x5050),
    (21, 0xcccc),
    (22, 0xf0f0),
    (23, 0xff00),
    (30, 0xeeee),
    (31, 0x1111),
];

#[test]
fn conditions() {
    for (number, mask) in CONDITIONS {
        for bits in 0..16_u8 {
            let [zero, sign, carry, overflow] = [0, 1, 2, 3].map(|n| bits >> n & 1 == 1);
            let mut state = lane([0; 3]);
            state.flags = Flags { zero, sign, carry, overflow };
            state.predicates = 0b100;
            let holds = mask >> bits & 1 == 1;
            for (with, other) in [(0, 7), (0, 15), (1, 7), (1, 15), (2, 7), (2, 15), (0, 2), (2, 2_u64)] {
                let (predicate, not) = (other & 7, other >> 3);
                let other = (predicate == 7 || predicate == 2) != (not == 1);
                let combined = |value: bool| match with {
                    0 => value && other,
                    1 => value || other,
                    _ => value != other,
                };
                let fields = [(8, number), (39, predicate), (42, not), (45, with)];
                for (float, one) in [(0, u32::MAX), (1, 0x3f80_0000)] {
                    let set = [&fields[..], &[(44, float)]].concat();
                    let set = after(word(Form::Cset, &set), state.clone(), 0);
                    let want = if combined(holds) { one } else { 0 };
                    assert_eq!(set.registers[0], want, "{number} {bits:x}");
                }
                let set = [&fields[..], &[(3, 1), (0, 0)]].concat();
                let set = after(word(Form::Csetp, &set), state.clone(), 0);
                let got = (set.predicates >> 1 & 1 == 1, set.predicates & 1 == 1);
                assert_eq!(got, (combined(holds), combined(!holds)), "{number} {bits:x}");
            }
        }
    }
    for number in 24..30 {
        let unknown = end(word(Form::Cset, &[(8, number), (39, 7)]));
        assert_eq!(unknown, End::Fault { address: 8, fault: Fault::UnknownCondition });
    }
}

/// Sums of three with every sign, half, shift and carry.
#[test]
fn sums_of_three() {
    const VALUES: [u32; 6] = [0, 1, 0xffff_ffff, 0x8000_0000, 0x1234_8765, 0xdead_beef];
    let part = |word: u32, half: u64| match half {
        0 => word,
        1 => word & 0xffff,
        _ => word >> 16,
    };
    for signs in 0..8_u64 {
        let [not_a, not_b, not_c] = [0, 1, 2].map(|n| signs >> n & 1 == 1);
        for (halves_of, shift) in
            [([0, 0, 0], 0), ([1, 2, 0], 0), ([2, 0, 1], 0), ([0, 0, 0], 1), ([0, 0, 0], 2)]
        {
            for extended in
                [None, Some([false, false]), Some([true, false]), Some([false, true]), Some([true, true])]
            {
                for (x, y, z) in
                    VALUES.iter().flat_map(|x| VALUES.iter().map(move |y| (*x, *y, x ^ y.rotate_left(7))))
                {
                    let [a, b, c] = [part(x, halves_of[0]), part(y, halves_of[1]), part(z, halves_of[2])];
                    let sign = |word: u32, negate: bool| match (negate, shift) {
                        (false, _) => u64::from(word),
                        (true, 0) => u64::from(!word),
                        (true, _) => u64::from(word.wrapping_neg()),
                    };
                    let ones = |negate: bool| u64::from(negate && shift == 0);
                    let (first_in, second_in) = match extended {
                        Some([overflow, carry]) if shift == 0 => (u64::from(overflow), u64::from(carry)),
                        Some([overflow, carry]) => (0, u64::from(overflow) + u64::from(carry)),
                        None => {
                            let both = ones(not_a) + ones(not_b);
                            (both.min(1), both.saturating_sub(1) + ones(not_c))
                        }
                    };
                    let first = sign(a, not_a) + sign(b, not_b) + first_in;
                    let shifted = match shift {
                        0 => first as u32,
                        // 33 bits.
                        1 => (first >> 16) as u32,
                        _ => (first << 16) as u32,
                    };
                    let sum = u64::from(shifted) + sign(c, not_c) + second_in;
                    let fields = [
                        (8, 4),
                        (20, 8),
                        (39, 12),
                        (47, 1),
                        (48, extended.is_some().into()),
                        (49, not_c.into()),
                        (50, not_b.into()),
                        (51, not_a.into()),
                        (37, shift),
                        (35, halves_of[0]),
                        (33, halves_of[1]),
                        (31, halves_of[2]),
                    ];
                    let mut state = lane([x.into(), y.into(), z.into()]);
                    let [overflow, carry] = extended.unwrap_or_default();
                    state.flags = Flags { carry, overflow, ..Flags::default() };
                    let got = after(word(Form::Iadd3R, &fields), state, 0);
                    let result = sum as u32;
                    assert_eq!(got.registers[0], result, "{fields:?} {x:x} {y:x} {z:x}");
                    let want = Flags {
                        zero: result == 0,
                        sign: result >> 31 != 0,
                        carry: sum >> 32 != 0,
                        overflow: first >> 32 != 0,
                    };
                    assert_eq!(got.flags, want, "{fields:?} {x:x} {y:x} {z:x}");
                }
            }
        }
    }
}

/// A sum of three numbers of 64 bits, as NVIDIA's compiler makes it: `IADD3.CC` and `IADD3.X`, with carries of up to 2.
#[test]
fn sums_of_three_of_64_bits() {
    let values =
        [0_u64, 1, u64::MAX, 0xffff_ffff, 0x1_0000_0000, 0x8000_0000_7fff_ffff, 0xffff_fffe_ffff_ffff];
    for (a, b, c) in values
        .into_iter()
        .flat_map(|a| values.into_iter().flat_map(move |b| values.into_iter().map(move |c| (a, b, c))))
    {
        for (not_a, not_c) in [(false, false), (true, false), (true, true)] {
            let signs = [(51, not_a.into()), (49, u64::from(not_c))];
            let low = [&[(8, 4), (20, 8), (39, 12), (47, 1)][..], &signs].concat();
            let low_words = [a, b, c].map(|x| x & 0xffff_ffff);
            let low = after(word(Form::Iadd3R, &low), lane(low_words), 0);
            let mut upper = lane([a, b, c].map(|x| x >> 32));
            upper.flags = low.flags;
            let high = [&[(8, 4), (20, 8), (39, 12), (48, 1)][..], &signs].concat();
            let high = after(word(Form::Iadd3R, &high), upper, 0);
            let got = u64::from(low.registers[0]) | u64::from(high.registers[0]) << 32;
            let sign = |x: u64, negate: bool| if negate { x.wrapping_neg() } else { x };
            assert_eq!(got, sign(a, not_a).wrapping_add(b).wrapping_add(sign(c, not_c)), "{a:x} {b:x} {c:x}");
        }
    }
}

/// Shifts of 64 bits stop at 64.
#[test]
fn funnel_shifts() {
    let value = 0xcc00_0dd0_0ee0_0ff1_u64;
    let wide = |width: u64| [(37, width)];
    for by in [0_u32, 4, 31, 32, 33, 40, 63, 64, 65, 70, 110, 0xffff_ffff] {
        for wrap in [0, 1] {
            let operands = [(8, 4), (20, 8), (39, 12), (50, wrap)];
            let count = |most: u32| if wrap == 1 { by & (most - 1) } else { by.min(most) };
            let state = || lane([value & 0xffff_ffff, by.into(), value >> 32]);
            let run = |form: Form, width: u64| {
                after(word(form, &[&operands[..], &wide(width)].concat()), state(), 0).registers[0]
            };
            let shl = |n: u32| (value.checked_shl(n).unwrap_or(0) >> 32) as u32;
            let shr = |n: u32| value.checked_shr(n).unwrap_or(0) as u32;
            assert_eq!(run(Form::ShfLR, 0), shl(count(32)), "{by}");
            assert_eq!(run(Form::ShfLR, 2), shl(count(64)), "{by}");
            assert_eq!(run(Form::ShfRR, 0), shr(count(32)), "{by}");
            assert_eq!(run(Form::ShfRR, 2), shr(count(64)), "{by}");
            assert_eq!(run(Form::ShfRR, 3), ((value as i64) >> count(64).min(63)) as u32, "{by}");
        }
    }
}

/// The second word of a pair is the upper half of a source of eight bytes, whose lower half is 0 then.
#[test]
fn constants_of_eight_bytes() {
    let mut resources = Resources::default();
    // Of the lower halves nothing is left where the second word is asked for.
    let (low, high) = (2.000001_f64, 7.000001_f64);
    let upper = |number: f64| f64::from_bits(number.to_bits() >> 32 << 32);
    let whole = [low.to_bits(), high.to_bits()];
    resources.set_constants(CONSTANT.0, CONSTANT.1, &whole.map(halves).concat());
    let state = || lane([4.0_f64.to_bits(), 0, 4.0_f64.to_bits()]);
    for (word_at, value) in [(0, low), (1, upper(low)), (2, high), (3, upper(high))] {
        let constant = [(8, 4), (20, u64::from(CONSTANT.1) / 4 + word_at), (34, CONSTANT.0.into())];
        for (form, fields, want) in [
            (Form::DaddC, vec![], 4.0 + value),
            (Form::DmulC, vec![], 4.0 * value),
            (Form::DfmaC, vec![(39, 12)], 4.0_f64.mul_add(value, 4.0)),
            (Form::DmnmxC, vec![(39, 7)], f64::min(4.0, value)),
        ] {
            let mut lane = state();
            let word = word(form, &[&constant[..], &fields].concat());
            run(word, std::slice::from_mut(&mut lane), &mut resources, StageKind::Compute);
            assert_eq!(f64::from_bits(pair(&lane)), want, "{form:?} {word_at}");
        }
    }
}

/// An offset that a register makes does not wrap: in front of a bank and behind its 64 KiB there is 0.
#[test]
fn offsets_outside_of_banks() {
    let mut resources = Resources::default();
    resources.set_constants(CONSTANT.0, 0, &[0xcccc_cccc; 0x4000]);
    for size in [0, 1, 2, 3, 4, 5_u64] {
        for (register, offset, inside) in [
            (8, 0, true),
            (0xfff8, 0, true),
            (0, 0xfff8, false),
            (8, 0xfff8, true),
            (0x8000, 0x7ff8, true),
            (0x8008, 0x7ff8, false),
            (0x1_0000, 0, false),
            (0x1_0000, 0xfff8, true),
            (0x1_ffff, 0, false),
            (0xffff_fff8, 0, false),
            (0xffff_fff8, 0x10, true),
            (0xaa_aaa0, 0, false),
        ] {
            let mut lane = lane([register, 0, 0]);
            let fields = [(8, 4), (20, offset), (36, CONSTANT.0.into()), (48, size)];
            run(
                word(Form::Ldc, &fields),
                std::slice::from_mut(&mut lane),
                &mut resources,
                StageKind::Compute,
            );
            let full = [0xcc, 0xffff_ffcc, 0xcccc, 0xffff_cccc, 0xcccc_cccc, 0xcccc_cccc];
            let want = if inside { full[size as usize] } else { 0 };
            assert_eq!(lane.registers[0], want, "{size} {register:x} {offset:x}");
        }
    }
}

/// The upper half of a register chooses the bank.
#[test]
fn banks_by_register() {
    for mode in [1, 2, 3] {
        for bank in 0..4_u32 {
            let mut resources = Resources::default();
            for n in 0..4_u8 {
                resources.set_constants(CONSTANT.0 + n, 0x20, &[0xaa + u32::from(n), 0x10 + u32::from(n)]);
            }
            let mut lane = lane([u64::from(bank << 16 | 4), 0, 0]);
            let fields = [(8, 4), (20, 0x20), (36, CONSTANT.0.into()), (44, mode), (48, 4)];
            run(
                word(Form::Ldc, &fields),
                std::slice::from_mut(&mut lane),
                &mut resources,
                StageKind::Compute,
            );
            assert_eq!(lane.registers[0], 0x10 + bank);
        }
    }
}

/// A vote of the stages before the pixels changes nothing.
#[test]
fn votes_of_vertices() {
    let before = lane([1, 2, 3]);
    for mode in 0..4 {
        let lane = after(word(Form::Votevtg, &[(39, mode)]), before.clone(), 0);
        assert_eq!(lane.registers, before.registers);
        assert_eq!((lane.predicates, lane.flags), (before.predicates, before.flags));
    }
}

/// No sum takes a carry and one more.
#[test]
fn sums_that_stop() {
    let both = [(8, 4), (20, 8), (43, 1), (48, 1), (49, 1)];
    assert_eq!(end(word(Form::IaddR, &both)), End::Fault { address: 8, fault: Fault::Stopped });
}
