//! Every arithmetic operation on the values where it changes its ways, and the rules of a group.

use crate::build::{Build, LITERAL, PS, PV, group, inst, mov, stage};
use std::collections::BTreeSet;
use unshade_isa_common::texture::NoTextures;
use unshade_isa_latte::exec::{End, Fault, Lane, NoTrace, Program, Resources};
use unshade_isa_latte::fields::{Op2, Op3};
use unshade_isa_latte::table::{Effect, Units};
use unshade_isa_latte::{AluOp, CfOp};
use unshade_stage::{Latte, StageKind};

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;
const MAX: f32 = f32::MAX;
const TINY: f32 = f32::from_bits(1);
const ALL: u32 = u32::MAX;

/// What an operation of one unit gives: the result, and whether its predicate holds or it drops the pixel.
fn outcome(op: AluOp, args: [u32; 3]) -> (u32, bool) {
    let sources = [(LITERAL, 0), (LITERAL, 1), (LITERAL, 2)];
    let first = Op2(inst(op, 1, 0, sources));
    let first = if op.info().effect == Effect::Predicate { first.with_update_pred(1) } else { first };
    let second = Op2(mov(2, 0, 249, 0)).with_pred_sel(3);
    let mut build = Build::default();
    build.alu(CfOp::Alu, &[group(&[first.0], &args), group(&[second.0], &[])]).end();
    let (lanes, outcome) = build.run(1, &Resources::default());
    assert_eq!(outcome.end, End::Ended, "{}", op.name());
    let sign = if op.info().effect == Effect::Kill { lanes[0].killed } else { lanes[0].registers[2][0] != 0 };
    (lanes[0].registers[1][0], sign)
}

/// Same bits; any NaN is any NaN.
fn check(op: &str, args: &[u32], want: u32) {
    let mut three = [0; 3];
    three[..args.len()].copy_from_slice(args);
    let (got, _) = outcome(AluOp::named(op).unwrap(), three);
    let nan = |bits| f32::from_bits(bits).is_nan();
    assert!(got == want || nan(got) && nan(want), "{op} {args:x?}: {got:08x}, expected {want:08x}");
}

fn floats(op: &str, args: &[f32], want: f32) {
    let bits: Vec<u32> = args.iter().map(|arg| arg.to_bits()).collect();
    check(op, &bits, want.to_bits());
}

fn to_bits(op: &str, args: &[f32], want: u32) {
    let bits: Vec<u32> = args.iter().map(|arg| arg.to_bits()).collect();
    check(op, &bits, want);
}

#[test]
fn sums_and_products() {
    floats("ADD", &[1.5, -0.25], 1.25);
    floats("ADD", &[INF, -INF], NAN);
    floats("ADD", &[-0.0, -0.0], -0.0);
    floats("ADD", &[f32::MIN_POSITIVE, -1.5 * f32::MIN_POSITIVE], -0.0);
    floats("MUL", &[0.0, INF], 0.0);
    floats("MUL", &[NAN, -0.0], 0.0);
    floats("MUL", &[-0.0, 3.0], 0.0);
    floats("MUL", &[TINY, INF], 0.0);
    floats("MUL", &[-2.0, 3.0], -6.0);
    floats("MUL_IEEE", &[0.0, INF], NAN);
    floats("MUL_IEEE", &[-0.0, 3.0], -0.0);
    floats("MUL_IEEE", &[f32::MIN_POSITIVE, 0.5], 0.0);
    floats("MULADD", &[0.0, NAN, 2.0], 2.0);
    floats("MULADD_IEEE", &[0.0, INF, 2.0], NAN);
    // Rounded twice: the product alone is 1 + 2^-11 + 2^-24, which rounds to even.
    let a = 1.0 + 2.0_f32.powi(-12);
    floats("MULADD_IEEE", &[a, a, -1.0], a * a - 1.0);
    assert_ne!(a * a - 1.0, a.mul_add(a, -1.0));
    for (name, factor) in [("M2", 2.0), ("M4", 4.0), ("D2", 0.5)] {
        floats(&format!("MULADD_{name}"), &[1.5, 2.0, 1.0], 4.0 * factor);
        floats(&format!("MULADD_IEEE_{name}"), &[1.5, 2.0, 1.0], 4.0 * factor);
        floats(&format!("MUL_LIT_{name}"), &[1.5, 2.0, 1.0], 3.0 * factor);
    }
}

#[test]
fn extremes() {
    floats("MAX", &[1.0, 2.0], 2.0);
    floats("MAX", &[NAN, 2.0], 2.0);
    floats("MAX", &[2.0, NAN], NAN);
    floats("MAX", &[0.0, -0.0], 0.0);
    floats("MAX", &[-0.0, 0.0], -0.0);
    floats("MIN", &[1.0, 2.0], 1.0);
    floats("MIN", &[NAN, 2.0], 2.0);
    floats("MIN", &[-0.0, 0.0], 0.0);
    floats("MAX_DX10", &[NAN, 2.0], 2.0);
    floats("MAX_DX10", &[2.0, NAN], 2.0);
    floats("MIN_DX10", &[NAN, 2.0], 2.0);
    floats("MIN_DX10", &[2.0, -INF], -INF);
    check("MAX_INT", &[ALL, 1], 1);
    check("MIN_INT", &[ALL, 1], ALL);
    check("MAX_UINT", &[ALL, 1], ALL);
    check("MIN_UINT", &[ALL, 1], 1);
}

#[test]
fn comparisons() {
    for (op, equal, less, greater, unordered) in [
        ("E", true, false, false, false),
        ("GT", false, false, true, false),
        ("GE", true, false, true, false),
        ("NE", false, true, true, true),
    ] {
        for (a, b, holds) in [
            (1.0, 1.0, equal),
            (0.0, -0.0, equal),
            (1.0, 2.0, less),
            (2.0, 1.0, greater),
            (NAN, 1.0, unordered),
        ] {
            floats(&format!("SET{op}"), &[a, b], f32::from(u8::from(holds)));
            to_bits(&format!("SET{op}_DX10"), &[a, b], if holds { ALL } else { 0 });
            let args = [a.to_bits(), b.to_bits(), 0];
            let predicate = outcome(AluOp::named(&format!("PRED_SET{op}")).unwrap(), args);
            assert_eq!(predicate, (if holds { 0 } else { 1.0_f32.to_bits() }, holds), "{op} {a} {b}");
            let kill = outcome(AluOp::named(&format!("KILL{op}")).unwrap(), args);
            assert_eq!(kill, (if holds { 1.0_f32.to_bits() } else { 0 }, holds), "{op} {a} {b}");
        }
        for (a, b, holds) in [(7, 7, equal), (ALL, 1, less), (1, ALL, greater)] {
            check(&format!("SET{op}_INT"), &[a, b], if holds { ALL } else { 0 });
            for form in [format!("PRED_SET{op}_INT"), format!("KILL{op}_INT")] {
                assert_eq!(outcome(AluOp::named(&form).unwrap(), [a, b, 0]).1, holds, "{form} {a} {b}");
            }
        }
    }
    for (op, holds) in [("GT", [false, true, false]), ("GE", [true, true, false])] {
        for ((a, b), holds) in [(7, 7), (ALL, 1), (1, ALL)].into_iter().zip(holds) {
            check(&format!("SET{op}_UINT"), &[a, b], if holds { ALL } else { 0 });
            for form in [format!("PRED_SET{op}_UINT"), format!("KILL{op}_UINT")] {
                assert_eq!(outcome(AluOp::named(&form).unwrap(), [a, b, 0]).1, holds, "{form} {a} {b}");
            }
        }
    }
}

#[test]
fn counters() {
    let test = |op: &str, a: f32, b: u32, want: f32, holds: bool| {
        let got = outcome(AluOp::named(op).unwrap(), [a.to_bits(), b, 0]);
        assert_eq!((f32::from_bits(got.0), got.1), (want, holds), "{op} {a} {b:x}");
    };
    test("PRED_SET_INV", 1.0, 0, 0.0, true);
    test("PRED_SET_INV", 0.0, 0, 1.0, false);
    test("PRED_SET_INV", 3.0, 0, 3.0, false);
    test("PRED_SET_POP", 1.0, 2.0_f32.to_bits(), 0.0, true);
    test("PRED_SET_POP", 3.0, 1.0_f32.to_bits(), 2.0, false);
    test("PRED_SET_CLR", 0.0, 0, MAX, false);
    test("PRED_SET_RESTORE", -0.0, 0, 0.0, true);
    test("PRED_SET_RESTORE", 2.0, 0, 2.0, false);
    for (op, below, zero, above) in [
        ("E", false, true, false),
        ("GT", false, false, true),
        ("GE", false, true, true),
        ("NE", true, false, true),
    ] {
        for (b, holds) in [(-1.0_f32, below), (0.0, zero), (1.0, above)] {
            let op = format!("PRED_SET{op}_PUSH");
            test(&op, 0.0, b.to_bits(), if holds { 0.0 } else { 1.0 }, holds);
            test(&op, 2.0, b.to_bits(), 3.0, false);
        }
        for (b, holds) in [(ALL, below), (0, zero), (1, above)] {
            test(&format!("PRED_SET{op}_PUSH_INT"), 0.0, b, if holds { 0.0 } else { 1.0 }, holds);
        }
    }
    for (op, holds) in [("LT", [true, false, false]), ("LE", [true, true, false])] {
        for (b, holds) in [ALL, 0, 1].into_iter().zip(holds) {
            test(&format!("PRED_SET{op}_PUSH_INT"), 0.0, b, if holds { 0.0 } else { 1.0 }, holds);
        }
    }
}

#[test]
fn rounding_and_conversion() {
    floats("FRACT", &[-0.25], 0.75);
    floats("FRACT", &[INF], NAN);
    floats("TRUNC", &[-1.75], -1.0);
    floats("CEIL", &[1.25], 2.0);
    floats("RNDNE", &[2.5], 2.0);
    floats("RNDNE", &[-3.5], -4.0);
    floats("FLOOR", &[-1.25], -2.0);
    to_bits("FLT_TO_INT", &[-1.75], -1_i32 as u32);
    to_bits("FLT_TO_INT", &[NAN], 0);
    to_bits("FLT_TO_INT", &[1e20], i32::MAX as u32);
    to_bits("FLT_TO_UINT", &[-1.0], 0);
    to_bits("FLT_TO_UINT", &[3e9], 3_000_000_000);
    check("INT_TO_FLT", &[ALL], (-1.0_f32).to_bits());
    check("UINT_TO_FLT", &[ALL], 4_294_967_296.0_f32.to_bits());
    check("MOV", &[1], 1);
    check("MOV", &[0x7F80_0001], 0x7F80_0001);
    check("NOP", &[5], 0);
    for (op, of) in [("MOVA", [3, -3, 255, -256]), ("MOVA_FLOOR", [2, -3, 255, -256])] {
        for (value, want) in [2.5, -2.75, 1e9, -INF].into_iter().zip(of) {
            to_bits(op, &[value], want as u32);
        }
    }
    check("MOVA_INT", &[300], 255);
    check("MOVA_INT", &[-300_i32 as u32], -256_i32 as u32);
    check("MOVA_GPR_INT", &[7], 7);
}

#[test]
fn integers() {
    check("AND_INT", &[0b1100, 0b1010], 0b1000);
    check("OR_INT", &[0b1100, 0b1010], 0b1110);
    check("XOR_INT", &[0b1100, 0b1010], 0b0110);
    check("NOT_INT", &[5, 9], !5);
    check("ADD_INT", &[ALL, 2], 1);
    check("SUB_INT", &[1, 2], ALL);
    check("ASHR_INT", &[1 << 31, 35], 0xF000_0000);
    check("LSHR_INT", &[1 << 31, 35], 1 << 28);
    check("LSHL_INT", &[1, 33], 2);
    check("MULLO_INT", &[ALL, 3], -3_i32 as u32);
    check("MULLO_UINT", &[1 << 31, 2], 0);
    check("MULHI_INT", &[ALL, 3], ALL);
    check("MULHI_UINT", &[ALL, 3], 2);
    for (a, want) in [(0, ALL), (1, ALL), (2, 1 << 31), (3, 0x5555_5555), (1 << 31, 2), (ALL, 1)] {
        check("RECIP_UINT", &[a], want);
    }
    check("RECIP_INT", &[3], 0x5555_5555);
    check("RECIP_INT", &[-3_i32 as u32], 0x5555_5555_u32.wrapping_neg());
    check("CNDE_INT", &[0, 5, 6], 5);
    check("CNDGT_INT", &[ALL, 5, 6], 6);
    check("CNDGE_INT", &[0, 5, 6], 5);
}

#[test]
fn choices_keep_bits() {
    for (op, below, zero, above, unordered) in
        [("CNDE", 6, 5, 6, 6), ("CNDGT", 6, 6, 5, 6), ("CNDGE", 6, 5, 5, 6)]
    {
        for (a, want) in [(-1.0_f32, below), (-0.0, zero), (TINY, zero), (1.0, above), (NAN, unordered)] {
            check(op, &[a.to_bits(), 5, 6], want);
        }
    }
}

#[test]
fn functions() {
    floats("EXP_IEEE", &[3.0], 8.0);
    floats("EXP_IEEE", &[-INF], 0.0);
    floats("EXP_IEEE", &[-140.0], 0.0);
    floats("LOG_IEEE", &[8.0], 3.0);
    floats("LOG_IEEE", &[TINY], -INF);
    floats("LOG_CLAMPED", &[0.0], -MAX);
    floats("LOG_CLAMPED", &[-1.0], NAN);
    floats("LOG_CLAMPED", &[INF], INF);
    for (suffix, zero, minus_zero) in [("IEEE", INF, -INF), ("CLAMPED", MAX, -MAX), ("FF", 0.0, -0.0)] {
        floats(&format!("RECIP_{suffix}"), &[0.0], zero);
        floats(&format!("RECIP_{suffix}"), &[-TINY], minus_zero);
        floats(&format!("RECIP_{suffix}"), &[-4.0], -0.25);
        floats(&format!("RECIP_{suffix}"), &[INF], 0.0);
        floats(&format!("RECIPSQRT_{suffix}"), &[0.0], zero);
        floats(&format!("RECIPSQRT_{suffix}"), &[4.0], 0.5);
        floats(&format!("RECIPSQRT_{suffix}"), &[-4.0], NAN);
    }
    floats("SQRT_IEEE", &[9.0], 3.0);
    floats("SQRT_IEEE", &[-1.0], NAN);
    floats("SIN", &[0.25], 1.0);
    floats("COS", &[0.0], 1.0);
    floats("COS", &[1.0], 1.0);
    floats("MUL_LIT", &[3.0, 2.0, 1.0], 6.0);
    for (b, c) in [(-MAX, 1.0), (-INF, 1.0), (NAN, 1.0), (2.0, 0.0), (2.0, -1.0), (2.0, NAN)] {
        floats("MUL_LIT", &[3.0, b, c], -MAX);
    }
}

/// The four units of an operation that takes all, with the components of R1 and R2 as sources.
fn four(op: AluOp, a: [f32; 4], b: [f32; 4], swizzles: [[u32; 4]; 2]) -> [f32; 4] {
    let insts: Vec<u64> = (0..4)
        .map(|n| inst(op, 3, n, [(1, swizzles[0][n as usize]), (2, swizzles[1][n as usize]), (0, 0)]))
        .collect();
    let mut build = Build::default();
    build.alu(CfOp::Alu, &[group(&insts, &[])]).end();
    let mut lane = Lane::default();
    (lane.registers[1], lane.registers[2]) = (a.map(f32::to_bits), b.map(f32::to_bits));
    build.program().run(std::slice::from_mut(&mut lane), &Resources::default(), &mut NoTextures, 100);
    lane.registers[3].map(f32::from_bits)
}

#[test]
fn sums_over_four_units() {
    let straight = [[0, 1, 2, 3]; 2];
    let [a, b] = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]];
    assert_eq!(four(AluOp::Dot4, a, b, straight), [70.0; 4]);
    assert_eq!(four(AluOp::Dot4, a, [0.0, 1.0, 1.0, 1.0], straight), [9.0; 4]);
    assert_eq!(four(AluOp::Dot4, [INF, 1.0, 1.0, 1.0], [0.0, 1.0, 1.0, 1.0], straight), [3.0; 4]);
    assert!(four(AluOp::Dot4Ieee, [INF, 1.0, 1.0, 1.0], [0.0, 1.0, 1.0, 1.0], straight)[0].is_nan());
    assert_eq!(four(AluOp::Max4, [1.0, -2.0, 7.0, 4.0], b, straight), [7.0; 4]);
}

#[test]
fn cube_faces_are_those_of_opengl() {
    let cube = |direction: [f32; 3]| {
        let [x, y, z] = direction;
        let value = [x, y, z, 0.0];
        let [t, s, across, face] = four(AluOp::Cube, value, value, [[2, 2, 0, 1], [1, 0, 2, 2]]);
        // As the idiom behind it goes on.
        (face, s / across.abs() + 1.5 - 1.0, t / across.abs() + 1.5 - 1.0)
    };
    assert_eq!(cube([2.0, 1.0, -1.0]), (0.0, 0.75, 0.25));
    assert_eq!(cube([-2.0, 1.0, -1.0]), (1.0, 0.25, 0.25));
    assert_eq!(cube([1.0, 2.0, -1.0]), (2.0, 0.75, 0.25));
    assert_eq!(cube([1.0, -2.0, -1.0]), (3.0, 0.75, 0.75));
    assert_eq!(cube([1.0, -1.0, 2.0]), (4.0, 0.75, 0.75));
    assert_eq!(cube([1.0, -1.0, -2.0]), (5.0, 0.25, 0.75));
    // Where two are equal: z before y before x.
    assert_eq!([[1.0, 1.0, 1.0], [1.0, 1.0, 0.5], [1.0, 0.5, -1.0]].map(|d| cube(d).0), [4.0, 2.0, 5.0]);
}

#[test]
fn doubles_take_pairs() {
    let mut lane = Lane::default();
    let bits = |value: f64| [value.to_bits() as u32, (value.to_bits() >> 32) as u32];
    let ([al, ah], [bl, bh]) = (bits(1.0 / 3.0), bits(2.5));
    lane.registers[1] = [al, ah, bl, bh];
    // The first unit reads the high words.
    let sources = |n: u32| [(1, 1 - n), (1, 3 - n), (0, 0)];
    let insts = [0, 1].map(|n| inst(AluOp::Add64, 3, n, sources(n)));
    let mut build = Build::default();
    build.alu(CfOp::Alu, &[group(&insts, &[])]).end();
    build.program().run(std::slice::from_mut(&mut lane), &Resources::default(), &mut NoTextures, 100);
    let [low, high] = bits(1.0 / 3.0 + 2.5);
    assert_eq!(lane.registers[3][..2], [low, high]);
}

#[test]
fn modifiers_work_on_results_and_sources() {
    let run = |inst: u64, literal: f32, dx10_clamp: bool| {
        let mut build = Build::default();
        build.alu(CfOp::Alu, &[group(&[inst], &[literal.to_bits()])]).end();
        let latte = Latte { dx10_clamp, ..Latte::default() };
        let mut lane = Lane::default();
        let program = Program::new(&stage(build.words(), StageKind::Vertex, latte));
        program.run(std::slice::from_mut(&mut lane), &Resources::default(), &mut NoTextures, 100);
        lane.registers[1][0]
    };
    let base = Op2(mov(1, 0, LITERAL, 0));
    let float = |inst: Op2, literal| f32::from_bits(run(inst.0, literal, true));
    assert_eq!([1, 2, 3].map(|omod| float(base.with_omod(omod), 3.0)), [6.0, 12.0, 1.5]);
    assert_eq!([0.5, -1.0, 7.0].map(|value| float(base.with_clamp(1), value)), [0.5, 0.0, 1.0]);
    assert_eq!(float(base.with_omod(1).with_clamp(1), 0.75), 1.0);
    assert_eq!(run(base.with_clamp(1).0, NAN, true), 0);
    assert!(f32::from_bits(run(base.with_clamp(1).0, NAN, false)).is_nan());
    assert_eq!(float(base.with_src0_neg(1), 2.0), -2.0);
    assert_eq!(float(base.with_src0_abs(1).with_src0_neg(1), -2.0), -2.0);
    // Results that are no floats stay.
    let integer = Op2(inst(AluOp::OrInt, 1, 0, [(LITERAL, 0), (LITERAL, 0), (0, 0)]));
    assert_eq!(run(integer.with_clamp(1).with_omod(1).0, 7.0, true), 7.0_f32.to_bits());
    let mask = Op2(inst(AluOp::SetEDx10, 1, 0, [(LITERAL, 0), (LITERAL, 0), (0, 0)]));
    assert_eq!(run(mask.with_clamp(1).0, 7.0, true), ALL);
    let three = Op3(inst(AluOp::MulAdd, 1, 0, [(LITERAL, 0), (LITERAL, 0), (LITERAL, 0)]));
    assert_eq!(f32::from_bits(run(three.with_src2_neg(1).with_clamp(1).0, 1.5, true)), 0.75);
}

#[test]
fn a_group_reads_before_it_writes() {
    let mut build = Build::default();
    build
        .alu(
            CfOp::Alu,
            &[
                group(&[mov(1, 0, LITERAL, 0), mov(1, 1, LITERAL, 1)], &[1, 2]),
                // Swapped; the same unit again goes to the fifth.
                group(&[mov(1, 0, 1, 1), mov(1, 1, 1, 0), mov(2, 0, 1, 0)], &[]),
                group(&[mov(3, 0, PV, 1), mov(3, 1, PS, 0), Op2(mov(9, 2, 1, 0)).with_write_mask(0).0], &[]),
                group(&[mov(3, 2, PV, 2)], &[]),
            ],
        )
        .alu(CfOp::Alu, &[group(&[mov(3, 3, PV, 2)], &[])])
        .end();
    let (lanes, _) = build.run(1, &Resources::default());
    let registers = &lanes[0].registers;
    assert_eq!((registers[1][..2].to_vec(), registers[2][0]), (vec![2, 1], 1));
    // PV of masked writes too, but not over clauses.
    assert_eq!((registers[3], registers[9]), ([1, 1, 2, 0], [0; 4]));
}

#[test]
fn indices_reach_registers_and_constants() {
    let relative = |inst: u64, mode: u32| Op2(inst).with_src0_rel(1).with_index_mode(mode).0;
    let mova = Op2(inst(AluOp::MovaInt, 0, 1, [(LITERAL, 0), (0, 0), (0, 0)])).with_write_mask(0).0;
    let mut build = Build::default();
    let groups = |index: i32| {
        vec![
            group(&[mova], &[index as u32]),
            group(
                &[
                    relative(mov(1, 0, 128, 0), 1),
                    relative(mov(1, 1, 256 + 4, 1), 1),
                    relative(mov(1, 2, 5, 2), 1),
                    Op2(mov(10, 3, LITERAL, 0)).with_dst_rel(1).with_index_mode(1).0,
                ],
                &[77],
            ),
        ]
    };
    let kcache = |mode: u32| {
        move |cf: unshade_isa_latte::fields::CfAlu| {
            cf.with_kcache_mode0(mode).with_kcache_bank0(3).with_kcache_addr0(1)
        }
    };
    build.alu_with(CfOp::Alu, &groups(2), kcache(1)).end();
    let mut resources = Resources::default();
    resources.constants[3] = (0..512).collect();
    resources.constant_file = (1000..2024).collect();
    let run = |build: &Build| {
        let mut lane = Lane::default();
        lane.registers[7][2] = 42;
        build.program().run(std::slice::from_mut(&mut lane), &resources, &mut NoTextures, 100);
        (lane.registers[1], lane.registers[12][3])
    };
    // Vector 18 of the buffer, register 6 of the file, R7, R12.
    assert_eq!(run(&build), ([72, 1025, 42, 0], 77));
    // Behind the one line, behind the file, in front of R0.
    let mut outside = Build::default();
    outside.alu_with(CfOp::Alu, &groups(16), kcache(1)).end();
    assert_eq!(run(&outside).0[0], 0);
    let mut inside = Build::default();
    inside.alu_with(CfOp::Alu, &groups(16), kcache(2)).end();
    assert_eq!(run(&inside).0[0], 4 * 32);
    let mut before = Build::default();
    before.alu_with(CfOp::Alu, &groups(-6), kcache(1)).end();
    assert_eq!(run(&before).0, [0, 0, 0, 0]);
}

#[test]
fn predicates_switch_instructions() {
    let set = Op2(inst(AluOp::PredSetGt, 1, 0, [(0, 0), (248, 0), (0, 0)])).with_update_pred(1).0;
    let mut build = Build::default();
    build
        .alu(
            CfOp::Alu,
            &[
                // The old predicate still holds in its own group.
                group(&[set, Op2(mov(2, 1, 250, 0)).with_pred_sel(2).0], &[]),
                group(
                    &[Op2(mov(2, 0, 250, 0)).with_pred_sel(3).0, Op2(mov(2, 2, 250, 0)).with_pred_sel(2).0],
                    &[],
                ),
            ],
        )
        .alu(CfOp::Alu, &[group(&[Op2(mov(2, 3, 250, 0)).with_pred_sel(3).0], &[])])
        .end();
    let (lanes, _) = build.run(2, &Resources::default());
    assert_eq!(lanes[0].registers[2], [0, 1, 1, 0]);
    assert_eq!(lanes[1].registers[2], [1, 1, 0, 1]);
}

#[test]
fn groups_that_the_machine_cannot_run_end_the_run() {
    let fault = |groups: &[Vec<u64>]| {
        let mut build = Build::default();
        build.alu(CfOp::Alu, groups).end();
        match build.run(1, &Resources::default()).1.end {
            End::Fault { fault, .. } => Some(fault),
            _ => None,
        }
    };
    let dot = inst(AluOp::Dot4, 1, 0, [(0, 0), (0, 0), (0, 0)]);
    assert_eq!(fault(&[group(&[dot], &[])]), Some(Fault::Incomplete));
    assert_eq!(fault(&[group(&[Op2(0).with_inst(0x54).0], &[])]), Some(Fault::UnknownOperation));
    let global = Op2(mov(1, 0, 1, 0)).with_src0_rel(1).with_index_mode(5).0;
    assert_eq!(fault(&[group(&[global], &[])]), Some(Fault::IndexMode));
    assert_eq!(fault(&[vec![mov(1, 0, 1, 0)]]), Some(Fault::BadGroup));
    assert_eq!(fault(&[group(&[mov(1, 0, 1, 0)], &[])]), None);
}

/// No operation of the table is left out by the tests above or has no result.
#[test]
fn every_operation_runs() {
    let mut run = BTreeSet::new();
    for &op in AluOp::ALL {
        let sources = [(LITERAL, 0), (LITERAL, 1), (LITERAL, 2)];
        let chans: &[u32] = match op.info().units {
            Units::All => &[0, 1, 2, 3],
            Units::Pair => &[0, 1],
            _ => &[0],
        };
        let insts: Vec<u64> = chans.iter().map(|&chan| inst(op, 1, chan, sources)).collect();
        let mut build = Build::default();
        // Literals are counted by the last one that a source names.
        let literals = &[0x3F80_0000, 0x4000_0000, 0x4040_0000][..if op.is_op3() { 3 } else { 2 }];
        build.alu(CfOp::Alu, &[group(&insts, literals)]).end();
        let mut lane = Lane::default();
        let outcome = build.program().run_with(
            std::slice::from_mut(&mut lane),
            &Resources::default(),
            &mut NoTextures,
            100,
            &mut NoTrace,
        );
        assert_eq!(outcome.end, End::Ended, "{}", op.name());
        run.insert(op);
    }
    assert_eq!(run.len(), AluOp::ALL.len());
}
