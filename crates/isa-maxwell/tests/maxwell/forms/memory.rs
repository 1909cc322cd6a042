//! Forms that reach memory and other lanes.

use super::run::{CONSTANT, halves, run, word};
use unshade_isa_common::texture::NoTextures;
use unshade_isa_maxwell::Form;
use unshade_isa_maxwell::exec::{End, Fault, Lane, Program, Resources};
use unshade_stage::{Maxwell, StageKind};

pub const FORMS: &[Form] = {
    use Form::*;
    &[
        Ld,
        St,
        Ldg,
        LdgP,
        Ldl,
        Lds,
        Ldc,
        Stg,
        Stl,
        Sts,
        Atom,
        AtomPred,
        AtomCas,
        AtomCasPred,
        Atoms,
        AtomsCas,
        Red,
        Shfl,
        Vote,
        S2r,
        Cs2r,
        Fswzadd,
    ]
};

const BASE: u64 = 0x1_0000_0100;

fn resources() -> Resources {
    let mut resources = Resources::default();
    resources.global.regions.insert(BASE, vec![0x8182_8384, 5, 0x7fff_ffff, 0xffff_ffff, 9, 0]);
    resources.shared.words = vec![0x8182_8384, 5, 0x7fff_ffff, 0xffff_ffff, 9, 0];
    resources.set_constants(CONSTANT.0, CONSTANT.1, &[0xdead_beef, 7]);
    resources
}

/// R4:R5 an address in global memory, R6 one in the others, R8:R9 a value, R10:R11 another.
fn prepared(value: u64) -> Lane {
    let mut lane = Lane::default();
    lane.registers[4..6].copy_from_slice(&halves(BASE));
    lane.registers[8..10].copy_from_slice(&halves(value));
    lane.registers[10..12].copy_from_slice(&[0x1111_1111, 0x2222_2222]);
    lane.local.words = vec![0x8182_8384, 5, 0x7fff_ffff];
    lane
}

/// Global, shared memory and the lane after a word.
fn after(word: u64, value: u64) -> (Vec<u32>, Vec<u32>, Lane) {
    after_with(word, value, 0xffff_ffff_7fff_ffff)
}

/// The same with words 2 and 3 of the memory.
fn after_with(word: u64, value: u64, old: u64) -> (Vec<u32>, Vec<u32>, Lane) {
    let (mut lane, mut resources) = (prepared(value), resources());
    resources.shared.words[2..4].copy_from_slice(&halves(old));
    if let Some(words) = resources.global.regions.get_mut(&BASE) {
        words[2..4].copy_from_slice(&halves(old));
    }
    run(word, std::slice::from_mut(&mut lane), &mut resources, StageKind::Compute);
    (resources.global.regions.remove(&BASE).unwrap(), resources.shared.words, lane)
}

/// Sizes by number: bytes read from byte 4 on, extended.
#[test]
fn loads() {
    let global = [(4, 8)].as_slice();
    let other = [(6, 8)].as_slice();
    // The form, its register of the address, where its offset and its size lie, and a bit for 64-bit addresses.
    let forms = [
        (Form::Ldg, global, 20, 48, Some(45)),
        (Form::LdgP, global, 20, 48, Some(45)),
        (Form::Ld, global, 20, 53, Some(52)),
        (Form::Ldl, other, 20, 48, None),
        (Form::Lds, other, 20, 48, None),
    ];
    let wants: [(u64, u64, &[u32]); 7] = [
        (0, 3, &[0x81]),
        (1, 3, &[0xffff_ff81]),
        (2, 2, &[0x8182]),
        (3, 2, &[0xffff_8182]),
        (4, 4, &[5]),
        (5, 0, &[0x8182_8384, 5]),
        (6, 0, &[0x8182_8384, 5, 0x7fff_ffff]),
    ];
    for (form, address, offset, size, wide) in forms {
        for (number, byte, want) in wants {
            let mut fields = vec![(8, address[0].0), (offset, byte), (size, number)];
            fields.extend(wide.map(|bit| (bit, 1)));
            let (.., lane) = after(word(form, &fields), 0);
            assert_eq!(&lane.registers[..want.len()], want, "{form:?} {number}");
        }
    }
    // A constant by its place and a register: R6 is 0.
    let place = [(8, 6), (20, u64::from(CONSTANT.1)), (36, 3), (48, 5)];
    let (.., lane) = after(word(Form::Ldc, &place), 0);
    assert_eq!(lane.registers[..2], [0xdead_beef, 7]);
}

#[test]
fn stores() {
    let value = 0xaabb_ccdd_1122_3344;
    for (form, register, size, wide) in [
        (Form::Stg, 4, 48, Some(45)),
        (Form::St, 4, 53, Some(52)),
        (Form::Sts, 6, 48, None),
        (Form::Stl, 6, 48, None),
    ] {
        for (number, byte, want) in [
            (0_u64, 1_u64, [0x8182_4484_u32, 5]),
            (2, 2, [0x3344_8384, 5]),
            (4, 4, [0x8182_8384, 0x1122_3344]),
            (5, 0, [0x1122_3344, 0xaabb_ccdd]),
        ] {
            let mut fields = vec![(0, 8), (8, register), (20, byte), (size, number)];
            fields.extend(wide.map(|bit| (bit, 1)));
            let (global, shared, lane) = after(word(form, &fields), value);
            let got = match form {
                Form::Sts => &shared,
                Form::Stl => &lane.local.words,
                _ => &global,
            };
            assert_eq!(got[..2], want, "{form:?} {number}");
        }
    }
}

const ADD: u64 = 0;
const MIN: u64 = 1;
const MAX: u64 = 2;
const INC: u64 = 3;
const DEC: u64 = 4;
const AND: u64 = 5;
const OR: u64 = 6;
const XOR: u64 = 7;
const EXCH: u64 = 8;

/// What an operation makes of memory: PTX's definitions of `atom`, and nothing where the console was seen to leave memory
/// alone (docs/maxwell-hardware.md); `None`: it stops there.
fn new_value(op: u64, ty: u64, old: u64, b: u64, shared: bool) -> Option<u64> {
    let wide = matches!(ty, 2 | 5);
    let signed = |x: u64| if wide { x as i64 } else { i64::from(x as u32 as i32) };
    if shared && (wide && op != EXCH || ty == 1 && matches!(op, INC | DEC)) {
        return None;
    }
    let leaves = match ty {
        1 | 2 => matches!(op, INC | DEC),
        3 => op != ADD,
        4 => !matches!(op, ADD | MIN | MAX),
        5 => !matches!(op, MIN | MAX | EXCH),
        _ => false,
    };
    if leaves {
        return Some(old);
    }
    if ty == 3 {
        return Some((f32::from_bits(old as u32) + f32::from_bits(b as u32)).to_bits().into());
    }
    if ty == 4 {
        // Both halves are whole numbers here.
        let number = |half: u64| match half & 0xffff {
            0x3c00 => 1.0_f32,
            0x4200 => 3.0,
            0xc000 => -2.0,
            0x4400 => 4.0,
            half => panic!("{half:x}"),
        };
        let half = |x: f32| match x as i32 {
            -2 => 0xc000_u64,
            1 => 0x3c00,
            3 => 0x4200,
            4 => 0x4400,
            5 => 0x4500,
            number => panic!("{number}"),
        };
        let one = |at: u32| {
            let (x, y) = (number(old >> at), number(b >> at));
            half(match op {
                ADD => x + y,
                MIN => x.min(y),
                _ => x.max(y),
            }) << at
        };
        return Some(one(0) | one(16));
    }
    let value = match (op, ty) {
        (ADD, _) => old.wrapping_add(b),
        (MIN | MAX, 1 | 5) => {
            if (signed(b) < signed(old)) == (op == MIN) {
                b
            } else {
                old
            }
        }
        (MIN, _) => old.min(b),
        (MAX, _) => old.max(b),
        (INC, _) => {
            if old >= b {
                0
            } else {
                old + 1
            }
        }
        (DEC, _) => {
            if old == 0 || old > b {
                b
            } else {
                old - 1
            }
        }
        (AND, _) => old & b,
        (OR, _) => old | b,
        (XOR, _) => old ^ b,
        _ => b,
    };
    Some(if wide { value } else { value & 0xffff_ffff })
}

/// Runs a word on memory and gives how the program ended.
fn end(word: u64, value: u64) -> End {
    let words = [0x7e0, word, 0xe300_0000_0007_000f, 0].map(|word: u64| [word as u32, (word >> 32) as u32]);
    let program = Program::with(StageKind::Compute, words.as_flattened(), 0, Maxwell::default());
    let mut lane = prepared(value);
    program.run(std::slice::from_mut(&mut lane), &mut resources(), &mut NoTextures, 100).end
}

/// Every operation of every type, in global and in shared memory.
#[test]
fn atomic_operations() {
    for op in 0..9 {
        for ty in 0..6_u64 {
            for value in [0_u64, 3, 0x8000_0000, 0x9000_0000_0000_0001, 0xffff_ffff_ffff_ffff] {
                let wide = matches!(ty, 2 | 5);
                // Word 2 of the memory: 7fffffff ffffffff; of types with floats 3 and 1.
                let old = match ty {
                    2 | 5 => 0xffff_ffff_7fff_ffff,
                    3 => 0x4040_0000,
                    4 => 0x4200_3c00,
                    _ => 0x7fff_ffff_u64,
                };
                let value = match ty {
                    3 => 0x3f80_0000,
                    // 4 and 1, or 4 and -2: 3 + 1 and 3 - 2 are in the list.
                    4 if value == 3 => 0xc000_4400,
                    4 => 0x3c00_4400,
                    _ => value,
                };
                let b = if wide { value } else { value & 0xffff_ffff };
                let check = |form: Form, memory: &[u32], lane: Option<&Lane>, want: u64| {
                    let new = u64::from(memory[2]) | if wide { u64::from(memory[3]) << 32 } else { 0 };
                    assert_eq!(new, want, "{form:?} {op} {ty} {value:x}");
                    let Some(lane) = lane else { return };
                    let before = u64::from(lane.registers[0]) | u64::from(lane.registers[1]) << 32;
                    assert_eq!(if wide { before } else { before & 0xffff_ffff }, old, "{form:?} {op} {ty}");
                };
                let want = new_value(op, ty, old, b, false).unwrap();
                let fields = [(8, 4), (20, 8), (28, 8), (48, 1), (49, ty), (52, op)];
                let (global, _, lane) = after_with(word(Form::Atom, &fields), value, old);
                check(Form::Atom, &global, Some(&lane), want);
                if op < 8 {
                    let fields = [(0, 8), (8, 4), (20, ty), (23, op), (28, 8), (48, 1)];
                    let (global, ..) = after_with(word(Form::Red, &fields), value, old);
                    check(Form::Red, &global, None, want);
                }
                // Shared: types 0 u32, 1 s32, 2 u64, 3 s64; the offset counts words.
                if matches!(ty, 3 | 4) {
                    continue;
                }
                let shared_ty = if ty == 5 { 3 } else { ty };
                let fields = [(8, 6), (20, 8), (28, shared_ty), (30, 2), (52, op)];
                let word = word(Form::Atoms, &fields);
                match new_value(op, ty, old, b, true) {
                    Some(want) => {
                        let (_, shared, lane) = after_with(word, value, old);
                        check(Form::Atoms, &shared, Some(&lane), want);
                    }
                    None => {
                        let stopped = End::Fault { address: 8, fault: Fault::Stopped };
                        assert_eq!(end(word, value), stopped, "{op} {ty}");
                    }
                }
            }
        }
    }
    // With a predicate there is no offset: word 0.
    let fields = [(8, 4), (20, 8), (41, 0), (48, 1), (49, 0), (44, 0)];
    let (global, _, lane) = after(word(Form::AtomPred, &fields), 6);
    assert_eq!((global[0], lane.registers[0]), (0x8182_838a, 0x8182_8384));
    // Sums of floats: 1.5 + 2^-126 * 2.
    let mut resources = resources();
    resources.global.regions.insert(BASE, vec![1.5_f32.to_bits()]);
    let mut one = prepared(2.25_f32.to_bits().into());
    let fields = [(8, 4), (20, 8), (48, 1), (49, 3), (52, 0)];
    run(word(Form::Atom, &fields), std::slice::from_mut(&mut one), &mut resources, StageKind::Compute);
    assert_eq!(resources.global.regions[&BASE], [3.75_f32.to_bits()]);
}

/// Compare and swap: what is there against R8 (R8:R9), then R9 (R10:R11) is stored.
#[test]
fn compare_and_swap() {
    for (compare, stored) in [(5_u64, true), (6, false)] {
        let value = compare | 77 << 32;
        let want = if stored { 77 } else { 5 };
        let (global, _, lane) = after(word(Form::AtomCas, &[(8, 4), (20, 8), (28, 4), (48, 1)]), value);
        assert_eq!((global[1], lane.registers[0]), (want, 5));
        let (_, shared, lane) = after(word(Form::AtomsCas, &[(8, 6), (20, 8), (30, 1), (54, 1)]), value);
        assert_eq!((shared[1], lane.registers[0]), (want, 5));
    }
    // 64 bits: words 4 and 5 are 9 and 0.
    for (compare, stored) in [(9_u64, true), (9 | 1 << 32, false)] {
        let want: [u32; 2] = if stored { [0x1111_1111, 0x2222_2222] } else { [9, 0] };
        let (global, _, lane) =
            after(word(Form::AtomCas, &[(8, 4), (20, 8), (28, 16), (48, 1), (49, 1)]), compare);
        assert_eq!((&global[4..6], &lane.registers[..2]), (&want[..], &[9, 0][..]));
        let fields = [(8, 6), (20, 8), (30, 4), (52, 1), (54, 1)];
        let (_, shared, _) = after(word(Form::AtomsCas, &fields), compare);
        assert_eq!(shared[4..6], want);
    }
    // With a predicate: word 0.
    let value = 0x8182_8384 | 77 << 32;
    let (global, ..) = after(word(Form::AtomCasPred, &[(8, 4), (20, 8), (48, 1)]), value);
    assert_eq!(global[0], 77);
}

fn warp() -> Vec<Lane> {
    (0..32)
        .map(|n| {
            let mut lane = Lane::default();
            (lane.registers[4], lane.registers[8]) = (100 + n, 1);
            lane.predicates = u8::from(n % 3 == 0) << 1;
            lane
        })
        .collect()
}

/// PTX's words for `shfl`: the lane named, if it lies inside of the segment, else the lane itself.
#[test]
fn shuffles() {
    for mode in 0..4_u64 {
        for b in [0_u64, 1, 5, 31] {
            for c in [0x1f_u64, 0x1c03, 0x100f, 0x0000, 0x1800] {
                let mut lanes = warp();
                let fields = [(8, 4), (20, b), (28, 1), (29, 1), (30, mode), (34, c), (48, 2)];
                run(word(Form::Shfl, &fields), &mut lanes, &mut Resources::default(), StageKind::Compute);
                for (n, lane) in (0_i64..).zip(&lanes) {
                    let (segment, clamp) = ((c >> 8) as i64 & 31, c as i64 & 31);
                    let (most, least) = (n & segment | clamp & !segment & 31, n & segment);
                    let (from, inside) = match mode {
                        0 => (least | b as i64 & !segment & 31, None),
                        1 => (n - b as i64, Some(n - b as i64 >= most)),
                        2 => (n + b as i64, None),
                        _ => (n ^ b as i64, None),
                    };
                    let inside = inside.unwrap_or(from <= most);
                    let want = if inside { from } else { n };
                    assert_eq!(lane.registers[0], 100 + want as u32, "{mode} {b} {c:x} lane {n}");
                    assert_eq!(lane.predicates >> 2 & 1 == 1, inside, "{mode} {b} {c:x} lane {n}");
                }
            }
        }
    }
}

#[test]
fn votes_and_places() {
    // P1 holds in every third lane, PT in all, !PT in none.
    let third: u32 = (0..32).filter(|n| n % 3 == 0).map(|n| 1 << n).sum();
    for (predicate, ballot) in [(1_u64, third), (7, u32::MAX), (15, 0)] {
        for (mode, want) in
            [(0, ballot == u32::MAX), (1, ballot != 0), (2, ballot == 0 || ballot == u32::MAX)]
        {
            let mut lanes = warp();
            let fields = [(39, predicate), (45, 3), (48, mode)];
            run(word(Form::Vote, &fields), &mut lanes, &mut Resources::default(), StageKind::Compute);
            for lane in &lanes {
                assert_eq!((lane.registers[0], lane.predicates >> 3 & 1 == 1), (ballot, want));
            }
        }
    }
    // LANEID, EQMASK, LTMASK, LEMASK, GTMASK, GEMASK.
    for form in [Form::S2r, Form::Cs2r] {
        for (number, of) in [(0_u64, 0_u8), (56, 1), (57, 2), (58, 3), (59, 4), (60, 5)] {
            let mut lanes = warp();
            run(word(form, &[(20, number)]), &mut lanes, &mut Resources::default(), StageKind::Compute);
            for (n, lane) in (0_u32..).zip(&lanes) {
                let mask = |holds: fn(u32, u32) -> bool| {
                    (0..32).filter(|m| holds(*m, n)).fold(0_u32, |all, m| all | 1 << m)
                };
                let want = match of {
                    0 => n,
                    1 => mask(|m, n| m == n),
                    2 => mask(|m, n| m < n),
                    3 => mask(|m, n| m <= n),
                    4 => mask(|m, n| m > n),
                    _ => mask(|m, n| m >= n),
                };
                assert_eq!(lane.registers[0], want, "{form:?} {number} lane {n}");
            }
        }
    }
}

/// Signs of each lane of a quad, lane 0 in the highest bits: a + b, b - a, a - b, b.
#[test]
fn signed_sums_in_a_quad() {
    for pattern in [0x99_u64, 0xa5, 0x1b, 0xff, 0] {
        let mut lanes = warp();
        for (n, lane) in lanes.iter_mut().enumerate() {
            lane.registers[4] = (n as f32 + 0.5).to_bits();
            lane.registers[8] = 3.0_f32.to_bits();
        }
        let fields = [(8, 4), (20, 8), (28, pattern)];
        run(word(Form::Fswzadd, &fields), &mut lanes, &mut Resources::default(), StageKind::Compute);
        for (n, lane) in lanes.iter().enumerate() {
            let (a, b) = (n as f32 + 0.5, 3.0);
            let want = match pattern >> (6 - 2 * (n % 4)) & 3 {
                0 => a + b,
                1 => b - a,
                2 => a - b,
                _ => b,
            };
            assert_eq!(f32::from_bits(lane.registers[0]), want, "{pattern:x} lane {n}");
        }
    }
}
