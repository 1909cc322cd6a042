//! Forms with shapes of their own: functions, predicates, video.

use super::run::{BEFORE, CONSTANT, lane, run, word};
use unshade_isa_maxwell::Form;
use unshade_isa_maxwell::exec::{Flags, Lane, Resources};
use unshade_stage::StageKind;

pub const FORMS: &[Form] = {
    use Form::*;
    &[
        FchkC, FchkI, FchkR, Mufu, Pset, Psetp, Cset, Csetp, P2rC, P2rI, P2rR, R2pC, R2pI, R2pR, Vabsdiff,
        Vabsdiff4, Vadd, Vmad, Vmnmx, Vset, Vsetp, Vshl, Vshr,
    ]
};

fn done(word: u64, mut lane: Lane, constant: u32) -> Lane {
    let mut resources = Resources::default();
    resources.set_constants(CONSTANT.0, CONSTANT.1, &[constant]);
    run(word, std::slice::from_mut(&mut lane), &mut resources, StageKind::Vertex);
    lane
}

fn result(word: u64, operands: [u64; 3]) -> u32 {
    done(word, lane(operands), 0).registers[0]
}

/// Signs, magnitudes and limits; the functions themselves are in `../operations.rs`.
#[test]
fn functions_and_their_modifiers() {
    for (fields, x, want) in [
        (&[(8, 4), (20, 8)][..], 2.25_f32, 1.5_f32),
        (&[(8, 4), (20, 8), (46, 1)], -2.25, 1.5),
        (&[(8, 4), (20, 4), (48, 1)], 2.0, -0.5),
        (&[(8, 4), (20, 2), (50, 1)], 3.0, 1.0),
        (&[(8, 4), (20, 3)], 8.0, 3.0),
    ] {
        assert_eq!(f32::from_bits(result(word(Form::Mufu, fields), [x.to_bits().into(), 0, 0])), want);
    }
}

/// Whether a division has to go its slow way. The exact limits are the hardware's own; what is sure: it has to where an
/// operand is no number, infinite or denormal or the divisor zero, and need not for numbers of like size.
#[test]
fn divisions() {
    let slow = |form: Form, fields: &[(u32, u64)], x: f32, y: f32| {
        let fields = [&[(8, 4), (3, 1)], fields].concat();
        let state = lane([x.to_bits().into(), y.to_bits().into(), 0]);
        let state = done(word(form, &fields), state, y.to_bits());
        assert_eq!(state.registers[0], BEFORE);
        state.predicates >> 1 & 1 == 1
    };
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-40];
    let plain = [1.0_f32, -3.0, 0.5, 96.0];
    let each = |x: f32, y: f32, want: bool| {
        assert_eq!(slow(Form::FchkR, &[(20, 8)], x, y), want, "{x} / {y}");
        let constant = [(20, u64::from(CONSTANT.1) / 4), (34, CONSTANT.0.into())];
        assert_eq!(slow(Form::FchkC, &constant, x, y), want, "{x} / {y}");
        // The upper bits of a float.
        if y.to_bits() & 0xfff == 0 {
            let bits = u64::from(y.to_bits() >> 12);
            let immediate = [(20, bits & 0x7ffff), (56, bits >> 19)];
            assert_eq!(slow(Form::FchkI, &immediate, x, y), want, "{x} / {y}");
        }
    };
    for x in plain {
        plain.into_iter().for_each(|y| each(x, y, false));
        odd.into_iter().chain([0.0, -0.0]).for_each(|y| each(x, y, true));
        odd.into_iter().for_each(|odd| each(odd, x, true));
    }
}

#[test]
fn sets_of_predicates() {
    for bits in 0..8_u8 {
        let mut state = lane([0; 3]);
        state.predicates = bits;
        let [a, b, c] = [0, 1, 2].map(|n| bits >> n & 1 == 1);
        let with = |op: u64, x: bool, y: bool| match op {
            0 => x && y,
            1 => x || y,
            _ => x != y,
        };
        for first in 0..3 {
            for second in 0..3 {
                // (P0 first !P1) second P2.
                let fields = [(24, first), (29, 1), (32, 1), (39, 2), (45, second)];
                let want = with(second, with(first, a, !b), c);
                let set = done(word(Form::Pset, &fields), state.clone(), 0);
                assert_eq!(set.registers[0], if want { u32::MAX } else { 0 });
                let float = [&fields[..], &[(44, 1)]].concat();
                let set = done(word(Form::Pset, &float), state.clone(), 0);
                assert_eq!(set.registers[0], if want { 0x3f80_0000 } else { 0 });
                let predicates = [&fields[..], &[(3, 3), (0, 4)]].concat();
                let set = done(word(Form::Psetp, &predicates), state.clone(), 0);
                // The second has the first operand inverted (measured).
                let opposite = with(second, with(first, !a, !b), c);
                assert_eq!((set.predicates >> 3 & 1 == 1, set.predicates >> 4 & 1 == 1), (want, opposite));
            }
        }
    }
}

/// Predicates into byte `byte` of A where a mask has ones, and back; the mask is a register, a constant, an immediate.
#[test]
fn predicates_and_registers() {
    for byte in 0..4_u64 {
        for mask in [0_u64, 0x05, 0x7f, 0x2a] {
            for predicates in [0_u8, 0x55, 0x7f] {
                let operands = |kind: u64| match kind {
                    0 => vec![(20, 8)],
                    1 => vec![(20, u64::from(CONSTANT.1) / 4), (34, CONSTANT.0.into())],
                    _ => vec![(20, mask)],
                };
                let shift = 8 * byte as u32;
                let a = 0xa5c3_96f0_u32;
                for (kind, form) in [(0, Form::P2rR), (1, Form::P2rC), (2, Form::P2rI)] {
                    let mut state = lane([a.into(), mask, 0]);
                    state.predicates = predicates;
                    let fields = [vec![(8, 4), (41, byte)], operands(kind)].concat();
                    let got = done(word(form, &fields), state, mask as u32).registers[0];
                    let there = (mask as u32) << shift;
                    assert_eq!(got, a & !there | u32::from(predicates) << shift & there, "{form:?}");
                }
                for (kind, form) in [(0, Form::R2pR), (1, Form::R2pC), (2, Form::R2pI)] {
                    let mut state = lane([a.into(), mask, 0]);
                    state.predicates = predicates;
                    let fields = [vec![(8, 4), (41, byte)], operands(kind)].concat();
                    let got = done(word(form, &fields), state, mask as u32);
                    let (there, from) = (mask as u8, (a >> shift) as u8);
                    assert_eq!(got.predicates, (predicates & !there | from & there) & 0x7f, "{form:?}");
                    assert_eq!(got.registers[0], BEFORE);
                }
            }
        }
    }
}

/// PTX `vadd`, `vabsdiff`, `vmin`, `vmax`, `vset`, `vshl`, `vshr`, `vmad`: parts of A and B (0-3 bytes, 4-5 halves, 6 all),
/// signs, a limit, then what is done with C.
#[test]
fn video() {
    let words = [0x80ff_7f01_u32, 0x0102_fe80, 0xffff_ffff, 0x7fff_8000, 0];
    let part = |x: u32, part: u64, signed: bool| -> i64 {
        let (bits, at) = match part {
            0..=3 => (8, 8 * part as u32),
            4 | 5 => (16, 16 * (part as u32 - 4)),
            _ => (32, 0),
        };
        let value = u64::from(x >> at) & ((1 << bits) - 1);
        if signed && value >> (bits - 1) & 1 == 1 { value as i64 - (1 << bits) } else { value as i64 }
    };
    let merged = |value: i64, c: u32, merge: u64, saturate: bool, signed: bool| -> u32 {
        let bits = match merge {
            0 | 1 => 16,
            2 | 3 => 8,
            _ => 32,
        };
        let (least, most) =
            if signed { (-(1_i64 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
        let word = if saturate { value.clamp(least, most) } else { value } as u32;
        match merge {
            0 => c & 0xffff | word << 16,
            1 => c & 0xffff_0000 | word & 0xffff,
            2 => c & 0xffff_ff00 | word & 0xff,
            3 => c & 0xff00_ffff | (word & 0xff) << 16,
            4 => word.wrapping_add(c),
            5 if signed => (word as i32).min(c as i32) as u32,
            5 => word.min(c),
            6 if signed => (word as i32).max(c as i32) as u32,
            6 => word.max(c),
            _ => word,
        }
    };
    for x in words {
        for y in words {
            for (pa, pb) in [(0_u64, 0_u64), (1, 3), (4, 5), (6, 6), (6, 2)] {
                for signs in 0..4_u64 {
                    let (sa, sb) = (signs & 1, signs >> 1);
                    let (a, b) = (part(x, pa, sa == 1), part(y, pb, sb == 1));
                    for merge in 0..8_u64 {
                        for (saturate, signed) in [(0_u64, 0_u64), (1, 0), (0, 1), (1, 1)] {
                            let c = 0x1234_a678_u32;
                            let fields = |more: &[(u32, u64)]| {
                                let all = [(8, 4), (20, 8), (39, 12), (50, 1), (36, pa), (28, pb), (48, sa)];
                                [&all[..], &[(51, merge)], more].concat()
                            };
                            let check = |form: Form, more: &[(u32, u64)], value: i64| {
                                let code = word(form, &fields(more));
                                let got = result(code, [x.into(), y.into(), c.into()]);
                                let want = merged(value, c, merge, saturate == 1, signed == 1);
                                assert_eq!(got, want, "{form:?} {code:016x} {x:x} {y:x}: {got:x} {want:x}");
                            };
                            let end = [(54, signed), (55, saturate), (49, sb)];
                            check(Form::Vadd, &end, a + b);
                            check(Form::Vadd, &[&end[..], &[(56, 1)]].concat(), a - b);
                            check(Form::Vadd, &[&end[..], &[(57, 1)]].concat(), b - a);
                            check(Form::Vadd, &[&end[..], &[(56, 3)]].concat(), a + b + 1);
                            check(Form::Vabsdiff, &end, (a - b).abs());
                            check(Form::Vmnmx, &end, a.min(b));
                            check(Form::Vmnmx, &[&end[..], &[(56, 1)]].concat(), a.max(b));
                            if saturate == 0 && signed == 0 {
                                check(Form::Vset, &[(49, sb), (54, 3)], (a <= b).into());
                            }
                            if sb == 0 {
                                let shift = [(54, signed), (55, saturate)];
                                let wrap = [(54, signed), (55, saturate), (49, 1)];
                                check(Form::Vshl, &shift, a << b.min(32));
                                check(Form::Vshl, &wrap, a << (b & 31));
                                check(Form::Vshr, &shift, a >> b.min(32));
                                check(Form::Vshr, &wrap, a >> (b & 31));
                            }
                        }
                    }
                    // VSETP: code less, P1 and P2.
                    let fields =
                        [(8, 4), (20, 8), (50, 1), (36, pa), (28, pb), (48, sa), (49, sb), (43, 1), (39, 7)];
                    let fields = [&fields[..], &[(3, 1), (0, 2)]].concat();
                    let got = done(word(Form::Vsetp, &fields), lane([x.into(), y.into(), 0]), 0).predicates;
                    assert_eq!((got >> 1 & 1 == 1, got >> 2 & 1 == 1), (a < b, a >= b));
                    // VMAD: the product, C, a shift; signed where a factor is.
                    for (number, shift) in [(0_u64, 0), (1, 7), (2, 15)] {
                        let c = 0x1234_a678_u32;
                        let fields =
                            [(8, 4), (20, 8), (39, 12), (50, 1), (36, pa), (28, pb), (48, sa), (49, sb)];
                        let code = word(Form::Vmad, &[&fields[..], &[(51, number)]].concat());
                        let sum = i128::from(a) * i128::from(b) + i128::from(c);
                        let got = result(code, [x.into(), y.into(), c.into()]);
                        assert_eq!(got, (sum >> shift) as u32, "{code:016x} {x:x} {y:x}");
                    }
                }
            }
        }
    }
}

/// PTX `vabsdiff4`: each lane of its own, of bytes of {b:a} that the selectors name.
#[test]
fn four_absolute_differences() {
    // Digits of the listings, highest lane first.
    let first = [
        "0000", "1111", "2222", "3333", "3210", "4321", "5432", "6543", "3201", "3012", "0213", "3120",
        "1230", "2310",
    ];
    let second = ["4444", "5555", "6666", "7777", "7654", "6543", "5432", "4321", "4567", "6745", "5476"];
    let (a, b, c) = (0x80ff_7f01_u32, 0x0102_fe80_u32, 0x1357_9bdf_u32);
    let pair = u64::from(b) << 32 | u64::from(a);
    let byte = |digits: &str, lane: usize, signed: bool| -> i32 {
        let digit = u32::from(digits.as_bytes()[3 - lane] - b'0');
        let byte = (pair >> (8 * digit)) as u8;
        if signed { (byte as i8).into() } else { byte.into() }
    };
    for (na, da) in (0_u64..).zip(first) {
        for (nb, db) in (0_u64..).zip(second) {
            for signs in 0..4_u64 {
                for lanes in 0..16_u64 {
                    for (saturate, signed) in [(0_u64, 0_u64), (1, 0), (1, 1)] {
                        for sum in [0_u64, 1] {
                            let differs = signs == 1 || signs == 2;
                            if sum == 1 && saturate == 0 && (signed == 1 || differs) {
                                continue;
                            }
                            let fields = [
                                (8, 4),
                                (20, 8),
                                (39, 12),
                                (32, na),
                                (28, nb),
                                (48, signs),
                                (50, saturate),
                                (38, signed),
                                (53, sum),
                                (51, lanes & 3),
                                (36, lanes >> 2),
                            ];
                            let code = word(Form::Vabsdiff4, &fields);
                            let mut want = c;
                            for lane in (0..4).filter(|lane| lanes >> lane & 1 == 1) {
                                let x = byte(da, lane, signs & 1 == 1);
                                let y = byte(db, lane, signs >> 1 == 1);
                                let most = if signed == 1 { 127 } else { 255 };
                                let value =
                                    if saturate == 1 { (x - y).abs().min(most) } else { (x - y).abs() };
                                if sum == 1 {
                                    want = want.wrapping_add(value as u32);
                                } else {
                                    let mut bytes = want.to_le_bytes();
                                    bytes[lane] = value as u8;
                                    want = u32::from_le_bytes(bytes);
                                }
                            }
                            assert_eq!(result(code, [a.into(), b.into(), c.into()]), want, "{code:016x}");
                        }
                    }
                }
            }
        }
    }
}

/// Minima of 64 and 96 bits, from the highest word down, each word with what the one above left.
#[test]
fn minima_of_wide_numbers() {
    let words = [0_u32, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    // XHI is 3, XMED 2, XLO 1; all but the last write the condition code.
    let step = |number: u64, signed: u64, least: bool, a: u32, b: u32, flags: Flags| {
        let fields = [
            (8, 4),
            (20, 8),
            (39, 7),
            (42, u64::from(!least)),
            (43, number),
            (47, u64::from(number != 1)),
            (48, signed),
        ];
        let mut state = lane([a.into(), b.into(), 0]);
        state.flags = flags;
        let state = done(word(Form::ImnmxR, &fields), state, 0);
        (u128::from(state.registers[0]), state.flags)
    };
    // What was in the condition code before the highest word does not matter.
    let dirty = Flags { zero: false, sign: true, carry: true, overflow: true };
    for signed in [0_u64, 1] {
        for least in [true, false] {
            for x2 in words {
                for y2 in words {
                    for (x1, y1) in [(5_u32, 5_u32), (1, 0x8000_0000), (0xffff_ffff, 0)] {
                        for x0 in words {
                            for y0 in words {
                                let join = |high: u32, mid: u32, low: u32| {
                                    u128::from(high) << 64 | u128::from(mid) << 32 | u128::from(low)
                                };
                                let (x, y) = (join(x2, x1, x0), join(y2, y1, y0));
                                let order = if signed == 1 {
                                    ((x << 32) as i128).cmp(&((y << 32) as i128))
                                } else {
                                    x.cmp(&y)
                                };
                                let want = if order.is_lt() == least { x } else { y };
                                let (high, flags) = step(3, signed, least, x2, y2, dirty);
                                let (mid, flags) = step(2, 0, least, x1, y1, flags);
                                let (low, _) = step(1, 0, least, x0, y0, flags);
                                assert_eq!(high << 64 | mid << 32 | low, want, "{x:x} {y:x}");
                            }
                        }
                    }
                }
            }
        }
    }
}
