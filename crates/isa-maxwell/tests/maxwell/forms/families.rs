//! Forms that differ only in where a source is, with what they compute in plain arithmetic.

use super::run::{BEFORE, CONSTANT, Kind, halves, lane, run, word};
use Kind::{C, I, I16, Ih, R, Rc, W, Wd};
use unshade_isa_maxwell::Form;
use unshade_isa_maxwell::exec::Resources;
use unshade_stage::StageKind;

/// What kind of values a family takes. Those of B fit an immediate of 20 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    Ints,
    /// Positions and lengths, counts, selectors: 0 to 0x7fff.
    Small,
    Floats,
    Doubles,
    /// Two halves, equal in B and C.
    Halves,
}

/// Where the result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Out {
    Word,
    Pair,
    /// P1, and its opposite in P2.
    Predicate,
}

type Fields = &'static [(u32, u64)];

/// Forms of one operation.
pub struct Family {
    pub forms: &'static [(Form, Kind, Fields)],
    pub values: Values,
    pub out: Out,
    /// The result of A, B and C.
    pub define: fn(u64, u64, u64) -> u64,
}

const INTS: [u64; 8] = [0, 1, 0xffff_ffff, 0x8000_0000, 0x7fff_ffff, 0x1234_5678, 0xffff, 0xdead_beef];
const INT_B: [u64; 7] = [0, 1, 5, 0x7ffff, 0xffff_ffff, 0xfff8_0000, 0xffff_8001];
const SMALL_B: [u64; 8] = [0, 1, 7, 31, 32, 0x0803, 0x1f00, 0x7531];
const FLOATS: [f32; 8] = [0.0, -0.0, 1.0, -2.5, 0.333_333_34, 1e30, f32::INFINITY, f32::NAN];
const FLOAT_B: [f32; 6] = [0.0, 1.0, -0.75, 96.0, 2.0e-3, f32::NEG_INFINITY];
const DOUBLES: [f64; 7] = [0.0, -0.0, 1.5, -0.1, 1e300, f64::INFINITY, f64::NAN];
const DOUBLE_B: [f64; 5] = [0.0, 1.0, -0.75, 96.0, f64::NEG_INFINITY];
/// Halves whose six lowest bits are zero.
const HALVES: [u64; 6] = [0, 0x3c00, 0xc000, 0x5640, 0xb400, 0x7bc0];

impl Family {
    fn operands(&self) -> (Vec<u64>, Vec<u64>, Vec<u64>) {
        let upper = |values: &[f32]| -> Vec<u64> {
            // The lower half of a float in an immediate is zero.
            values.iter().map(|x| u64::from(x.to_bits() & !0xfff)).collect()
        };
        match self.values {
            Values::Ints => (INTS.to_vec(), INT_B.to_vec(), INTS.to_vec()),
            Values::Small => (INTS.to_vec(), SMALL_B.to_vec(), INTS.to_vec()),
            Values::Floats => {
                (FLOATS.map(|x| x.to_bits().into()).to_vec(), upper(&FLOAT_B), upper(&FLOAT_B[1..]))
            }
            Values::Doubles => (
                DOUBLES.map(f64::to_bits).to_vec(),
                DOUBLE_B.map(f64::to_bits).to_vec(),
                DOUBLE_B.map(f64::to_bits).to_vec(),
            ),
            Values::Halves => {
                let twice = HALVES.map(|half| half | half << 16).to_vec();
                let mixed = (0..6).map(|n: usize| HALVES[n] | HALVES[(n + 1) % 6] << 16).collect();
                (mixed, twice.clone(), twice)
            }
        }
    }

    /// The words of a constant source.
    fn constant(&self, value: u64) -> [u32; 2] {
        match self.values {
            // A constant is a binary32 for both halves.
            Values::Halves => [half(value & 0xffff).to_bits(), 0],
            _ => halves(value),
        }
    }

    fn word(&self, (form, kind, fields): (Form, Kind, Fields), b: u64) -> u64 {
        let mut all: Vec<(u32, u64)> = vec![(8, 4)];
        let constant = [(20, u64::from(CONSTANT.1) / 4), (34, CONSTANT.0.into())];
        let third = |all: &mut Vec<(u32, u64)>, free: bool| {
            if free {
                all.push((39, 12));
            }
        };
        // Bits 39-46 are the third source where no field says something else.
        let free = fields.iter().all(|(at, _)| !(39..47).contains(at)) && self.takes_third();
        match kind {
            R => {
                all.push((20, 8));
                third(&mut all, free);
            }
            C => {
                all.extend(constant);
                third(&mut all, free);
            }
            Rc => {
                all.extend(constant);
                all.push((39, 8));
            }
            I => {
                let bits = match self.values {
                    Values::Floats => b >> 12,
                    Values::Doubles => b >> 44,
                    _ => b,
                };
                all.extend([(20, bits & 0x7ffff), (56, bits >> 19 & 1)]);
                third(&mut all, free);
            }
            I16 => {
                all.push((20, b & 0xffff));
                third(&mut all, free);
            }
            Ih => {
                let (low, high) = (b & 0xffff, b >> 16 & 0xffff);
                all.extend([(20, low >> 6 & 0x1ff), (29, low >> 15)]);
                all.extend([(30, high >> 6 & 0x1ff), (56, high >> 15)]);
                third(&mut all, free);
            }
            W | Wd => all.push((20, b & 0xffff_ffff)),
        }
        all.extend_from_slice(fields);
        if self.is_conversion(form) {
            // The first operand does not exist: formats are there.
            all.retain(|&field| field != (8, 4));
        }
        word(form, &all)
    }

    fn takes_third(&self) -> bool {
        self.forms.iter().any(|(_, kind, _)| matches!(kind, Rc | Wd)) || {
            use Form::*;
            matches!(self.forms[0].0, Iadd3R | LeaHiR | Lop3R | ShfLR | ShfRR)
        }
    }

    fn is_conversion(&self, form: Form) -> bool {
        use Form::*;
        matches!(form, F2fC | F2fI | F2fR | F2iC | F2iI | F2iR | I2fC | I2fI | I2fR | I2iC | I2iI | I2iR)
    }

    /// Runs each form over all operands.
    pub fn check(&self) {
        let (first, second, third) = self.operands();
        for &entry in self.forms {
            let (form, kind, _) = entry;
            for &a in &first {
                for &b in &second {
                    for &c in &third {
                        let mut lane = lane([a, b, c]);
                        let mut resources = Resources::default();
                        let constant = if kind == Rc { c } else { b };
                        resources.set_constants(CONSTANT.0, CONSTANT.1, &self.constant(constant));
                        if kind == Wd {
                            lane.registers[0] = c as u32;
                        }
                        let word = self.word(entry, b);
                        let lanes = std::slice::from_mut(&mut lane);
                        run(word, lanes, &mut resources, StageKind::Vertex);
                        let want = (self.define)(a, b, c);
                        let got = match self.out {
                            Out::Word => lane.registers[0].into(),
                            Out::Pair => u64::from(lane.registers[0]) | u64::from(lane.registers[1]) << 32,
                            Out::Predicate => {
                                let (p, opposite) = (lane.predicates >> 1 & 1, lane.predicates >> 2 & 1);
                                assert_ne!(p, opposite, "{form:?}");
                                p.into()
                            }
                        };
                        assert!(
                            self.same(got, want),
                            "{form:?} {word:016x} of {a:x} {b:x} {c:x}: {got:x}, expected {want:x}"
                        );
                        if self.out == Out::Predicate {
                            assert_eq!(lane.registers[0], BEFORE);
                        }
                    }
                }
            }
        }
    }

    /// Equal, or no numbers both.
    fn same(&self, a: u64, b: u64) -> bool {
        let is_nan = |x: u64| match self.out {
            Out::Pair => f64::from_bits(x).is_nan(),
            _ => f32::from_bits(x as u32).is_nan(),
        };
        a == b || matches!(self.values, Values::Floats | Values::Doubles) && is_nan(a) && is_nan(b)
    }
}

fn f(x: u64) -> f32 {
    f32::from_bits(x as u32)
}

fn d(x: u64) -> f64 {
    f64::from_bits(x)
}

fn int(x: u64) -> i64 {
    i64::from(x as u32 as i32)
}

/// A word of 32 bits.
fn w(x: u64) -> u64 {
    x & 0xffff_ffff
}

fn mask(holds: bool) -> u64 {
    if holds { 0xffff_ffff } else { 0 }
}

/// A binary16 that is no infinity and no NaN.
fn half(bits: u64) -> f32 {
    let (exponent, fraction) = ((bits >> 10 & 31) as i32, (bits & 1023) as f32);
    let magnitude = match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        _ => (1.0 + fraction / 1024.0) * 2.0_f32.powi(exponent - 15),
    };
    if bits >> 15 & 1 == 1 { -magnitude } else { magnitude }
}

/// The nearest binary16, ties to even.
fn to_half(value: f64) -> u64 {
    let sign = u64::from(value.is_sign_negative()) << 15;
    let magnitude = value.abs();
    // All halves, of which the nearest is looked for: there are few.
    let below = (0..0x7c00_u64).rev().find(|bits| f64::from(half(*bits)) <= magnitude).unwrap();
    let exact = |bits: u64| if bits == 0x7c00 { 65536.0 } else { f64::from(half(bits)) };
    let (low, high) = (magnitude - exact(below), exact(below + 1) - magnitude);
    sign | if low < high || low == high && below & 1 == 0 { below } else { below + 1 }
}

/// Both halves of two operands.
fn pairwise(a: u64, b: u64, with: impl Fn(f64, f64) -> u64) -> u64 {
    let of = |x: u64, shift: u32| f64::from(half(x >> shift & 0xffff));
    with(of(a, 0), of(b, 0)) | with(of(a, 16), of(b, 16)) << 16
}

/// The value of a float is smaller, both being numbers.
fn less(a: f64, b: f64) -> bool {
    a < b
}

const PT: (u32, u64) = (39, 7);
/// Results in P1 and P2.
const P12: [(u32, u64); 2] = [(3, 1), (0, 2)];

use Form::*;

pub const FAMILIES: &[Family] = &[
    // ---- integers
    Family {
        forms: &[(IaddR, R, &[]), (IaddC, C, &[]), (IaddI, I, &[]), (Iadd32i, W, &[])],
        values: Values::Ints,
        out: Out::Word,
        define: |a, b, _| w(a + b),
    },
    Family {
        forms: &[(Iadd3R, R, &[]), (Iadd3C, C, &[]), (Iadd3I, I, &[])],
        values: Values::Ints,
        out: Out::Word,
        define: |a, b, c| w(a + b + c),
    },
    Family {
        forms: &[(ImulR, R, &[]), (ImulC, C, &[]), (ImulI, I, &[]), (Imul32i, W, &[])],
        values: Values::Ints,
        out: Out::Word,
        define: |a, b, _| w(a.wrapping_mul(b)),
    },
    Family {
        forms: &[(ImulR, R, &[(39, 1), (40, 1), (41, 1)]), (Imul32i, W, &[(53, 1), (54, 1), (55, 1)])],
        values: Values::Ints,
        out: Out::Word,
        define: |a, b, _| w(((int(a) * int(b)) >> 32) as u64),
    },
    Family {
        forms: &[(ImadR, R, &[]), (ImadC, C, &[]), (ImadI, I, &[]), (ImadRc, Rc, &[]), (Imad32i, Wd, &[])],
        values: Values::Ints,
        out: Out::Word,
        define: |a, b, c| w(a.wrapping_mul(b).wrapping_add(c)),
    },
    Family {
        forms: &[
            (ImadspR, R, &[(49, 3)]),
            (ImadspC, C, &[(49, 3)]),
            (ImadspI, I, &[(49, 3)]),
            (ImadspRc, Rc, &[(49, 3)]),
        ],
        values: Values::Small,
        out: Out::Word,
        define: |a, b, c| w((a >> 16).wrapping_mul(b & 0xff_ffff).wrapping_add(c)),
    },
    Family {
        forms: &[(XmadR, R, &[]), (XmadC, C, &[]), (XmadI, I16, &[]), (XmadRc, Rc, &[])],
        values: Values::Small,
        out: Out::Word,
        define: |a, b, c| w((a & 0xffff) * (b & 0xffff) + c),
    },
    Family {
        forms: &[
            (IscaddR, R, &[(39, 3)]),
            (IscaddC, C, &[(39, 3)]),
            (IscaddI, I, &[(39, 3)]),
            (Iscadd32i, W, &[(53, 3)]),
        ],
        values: Values::Ints,
        out: Out::Word,
        define: |a, b, _| w((a << 3) + b),
    },
    Family {
        forms: &[
            (LeaR, R, &[(39, 3), (48, 7)]),
            (LeaC, C, &[(39, 3), (48, 7)]),
            (LeaI, I, &[(39, 3), (48, 7)]),
        ],
        values: Values::Ints,
        out: Out::Word,
        define: |a, b, _| w((a << 3) + b),
    },
    Family {
        forms: &[(LeaHiR, R, &[(28, 3), (48, 7)]), (LeaHiC, C, &[(51, 3), (48, 7)])],
        values: Values::Ints,
        out: Out::Word,
        define: |a, b, c| w(((c << 32 | a) << 3 >> 32) + b),
    },
    Family {
        forms: &[(ImnmxR, R, &[PT, (48, 1)]), (ImnmxC, C, &[PT, (48, 1)]), (ImnmxI, I, &[PT, (48, 1)])],
        values: Values::Ints,
        out: Out::Word,
        define: |a, b, _| w(int(a).min(int(b)) as u64),
    },
    Family {
        forms: &[
            (IcmpR, R, &[(48, 1), (49, 1)]),
            (IcmpC, C, &[(48, 1), (49, 1)]),
            (IcmpI, I, &[(48, 1), (49, 1)]),
            (IcmpRc, Rc, &[(48, 1), (49, 1)]),
        ],
        values: Values::Ints,
        out: Out::Word,
        define: |a, b, c| if int(c) < 0 { a } else { b },
    },
    Family {
        forms: &[
            (IsetR, R, &[PT, (48, 1), (49, 1)]),
            (IsetC, C, &[PT, (48, 1), (49, 1)]),
            (IsetI, I, &[PT, (48, 1), (49, 1)]),
        ],
        values: Values::Ints,
        out: Out::Word,
        define: |a, b, _| mask(int(a) < int(b)),
    },
    Family {
        forms: &[
            (IsetpR, R, &[PT, (48, 1), (49, 1), P12[0], P12[1]]),
            (IsetpC, C, &[PT, (48, 1), (49, 1), P12[0], P12[1]]),
            (IsetpI, I, &[PT, (48, 1), (49, 1), P12[0], P12[1]]),
        ],
        values: Values::Ints,
        out: Out::Predicate,
        define: |a, b, _| u64::from(int(a) < int(b)),
    },
    // ---- bits
    Family {
        forms: &[(LopR, R, &[(48, 7)]), (LopC, C, &[(48, 7)]), (LopI, I, &[(48, 7)]), (Lop32i, W, &[])],
        values: Values::Ints,
        out: Out::Word,
        define: |a, b, _| a & b,
    },
    Family {
        forms: &[(Lop3R, R, &[(28, 0x96), (48, 7)]), (Lop3C, C, &[(48, 0x96)]), (Lop3I, I, &[(48, 0x96)])],
        values: Values::Ints,
        out: Out::Word,
        define: |a, b, c| a ^ b ^ c,
    },
    Family {
        forms: &[(ShlR, R, &[]), (ShlC, C, &[]), (ShlI, I, &[])],
        values: Values::Small,
        out: Out::Word,
        define: |a, b, _| if b < 32 { w(a << b) } else { 0 },
    },
    Family {
        forms: &[(ShrR, R, &[(48, 1)]), (ShrC, C, &[(48, 1)]), (ShrI, I, &[(48, 1)])],
        values: Values::Small,
        out: Out::Word,
        define: |a, b, _| w((int(a) >> b.min(31)) as u64),
    },
    Family {
        forms: &[(ShfLR, R, &[(50, 1)]), (ShfLI, I, &[(50, 1)])],
        values: Values::Small,
        out: Out::Word,
        define: |a, b, c| (c << 32 | a) << (b & 31) >> 32,
    },
    Family {
        forms: &[(ShfRR, R, &[(50, 1)]), (ShfRI, I, &[(50, 1)])],
        values: Values::Small,
        out: Out::Word,
        define: |a, b, c| w((c << 32 | a) >> (b & 31)),
    },
    Family {
        forms: &[(BfeR, R, &[]), (BfeC, C, &[]), (BfeI, I, &[])],
        values: Values::Small,
        out: Out::Word,
        define: |a, b, _| {
            let (at, len) = (b & 0xff, b >> 8 & 0xff);
            (0..len.min(32)).filter(|n| at + n < 32).fold(0, |all, n| all | (a >> (at + n) & 1) << n)
        },
    },
    Family {
        forms: &[(BfiR, R, &[]), (BfiC, C, &[]), (BfiI, I, &[]), (BfiRc, Rc, &[])],
        values: Values::Small,
        out: Out::Word,
        define: |a, b, c| {
            let (at, len) = (b & 0xff, b >> 8 & 0xff);
            (0..len.min(32))
                .filter(|n| at + n < 32)
                .fold(c, |all, n| all & !(1 << (at + n)) | (a >> n & 1) << (at + n))
        },
    },
    Family {
        forms: &[(FloR, R, &[]), (FloC, C, &[]), (FloI, I, &[])],
        values: Values::Ints,
        out: Out::Word,
        define: |_, b, _| (0..32).rev().find(|n| b >> n & 1 == 1).unwrap_or(0xffff_ffff),
    },
    Family {
        forms: &[(PopcR, R, &[]), (PopcC, C, &[]), (PopcI, I, &[])],
        values: Values::Ints,
        out: Out::Word,
        define: |_, b, _| (0..32).map(|n| b >> n & 1).sum(),
    },
    Family {
        forms: &[(PrmtR, R, &[]), (PrmtC, C, &[]), (PrmtI, I, &[]), (PrmtRc, Rc, &[])],
        values: Values::Small,
        out: Out::Word,
        define: |a, b, c| {
            (0..4).fold(0, |all, n| {
                let selector = b >> (4 * n) & 15;
                let byte = (c << 32 | a) >> (8 * (selector & 7)) & 0xff;
                let byte = if selector & 8 != 0 { (byte >> 7) * 0xff } else { byte };
                all | byte << (8 * n)
            })
        },
    },
    Family {
        forms: &[(SelR, R, &[(39, 15)]), (SelC, C, &[(39, 15)]), (SelI, I, &[(39, 15)])],
        values: Values::Ints,
        out: Out::Word,
        define: |_, b, _| b,
    },
    Family {
        forms: &[
            (MovR, R, &[(39, 15)]),
            (MovC, C, &[(39, 15)]),
            (MovI, I, &[(39, 15)]),
            (Mov32i, W, &[(12, 15)]),
        ],
        values: Values::Ints,
        out: Out::Word,
        define: |_, b, _| b,
    },
    // ---- floats
    Family {
        forms: &[(FaddR, R, &[]), (FaddC, C, &[]), (FaddI, I, &[]), (Fadd32i, W, &[])],
        values: Values::Floats,
        out: Out::Word,
        define: |a, b, _| (f(a) + f(b)).to_bits().into(),
    },
    Family {
        forms: &[(FmulR, R, &[]), (FmulC, C, &[]), (FmulI, I, &[]), (Fmul32i, W, &[])],
        values: Values::Floats,
        out: Out::Word,
        define: |a, b, _| (f(a) * f(b)).to_bits().into(),
    },
    Family {
        forms: &[(FfmaR, R, &[]), (FfmaC, C, &[]), (FfmaI, I, &[]), (FfmaRc, Rc, &[]), (Ffma32i, Wd, &[])],
        values: Values::Floats,
        out: Out::Word,
        define: |a, b, c| f(a).mul_add(f(b), f(c)).to_bits().into(),
    },
    Family {
        forms: &[(FmnmxR, R, &[PT]), (FmnmxC, C, &[PT]), (FmnmxI, I, &[PT])],
        values: Values::Floats,
        out: Out::Word,
        define: |a, b, _| {
            let (x, y) = (f(a), f(b));
            if x.is_nan() || y < x || x == y && y.is_sign_negative() { b } else { a }
        },
    },
    Family {
        forms: &[
            (FcmpR, R, &[(48, 4)]),
            (FcmpC, C, &[(48, 4)]),
            (FcmpI, I, &[(48, 4)]),
            (FcmpRc, Rc, &[(48, 4)]),
        ],
        values: Values::Floats,
        out: Out::Word,
        define: |a, b, c| if f(c) > 0.0 { a } else { b },
    },
    Family {
        forms: &[(FsetR, R, &[PT, (48, 1)]), (FsetC, C, &[PT, (48, 1)]), (FsetI, I, &[PT, (48, 1)])],
        values: Values::Floats,
        out: Out::Word,
        define: |a, b, _| mask(less(f(a).into(), f(b).into())),
    },
    Family {
        forms: &[
            (FsetpR, R, &[PT, (48, 1), P12[0], P12[1]]),
            (FsetpC, C, &[PT, (48, 1), P12[0], P12[1]]),
            (FsetpI, I, &[PT, (48, 1), P12[0], P12[1]]),
        ],
        values: Values::Floats,
        out: Out::Predicate,
        define: |a, b, _| less(f(a).into(), f(b).into()).into(),
    },
    Family {
        forms: &[(RroR, R, &[]), (RroC, C, &[]), (RroI, I, &[])],
        values: Values::Floats,
        out: Out::Word,
        define: |_, b, _| b,
    },
    // ---- doubles
    Family {
        forms: &[(DaddR, R, &[]), (DaddC, C, &[]), (DaddI, I, &[])],
        values: Values::Doubles,
        out: Out::Pair,
        define: |a, b, _| (d(a) + d(b)).to_bits(),
    },
    Family {
        forms: &[(DmulR, R, &[]), (DmulC, C, &[]), (DmulI, I, &[])],
        values: Values::Doubles,
        out: Out::Pair,
        define: |a, b, _| (d(a) * d(b)).to_bits(),
    },
    Family {
        forms: &[(DfmaR, R, &[]), (DfmaC, C, &[]), (DfmaI, I, &[]), (DfmaRc, Rc, &[])],
        values: Values::Doubles,
        out: Out::Pair,
        define: |a, b, c| d(a).mul_add(d(b), d(c)).to_bits(),
    },
    Family {
        forms: &[(DmnmxR, R, &[PT]), (DmnmxC, C, &[PT]), (DmnmxI, I, &[PT])],
        values: Values::Doubles,
        out: Out::Pair,
        define: |a, b, _| {
            let (x, y) = (d(a), d(b));
            if x.is_nan() || y < x || x == y && y.is_sign_negative() { b } else { a }
        },
    },
    Family {
        forms: &[(DsetR, R, &[PT, (48, 1)]), (DsetC, C, &[PT, (48, 1)]), (DsetI, I, &[PT, (48, 1)])],
        values: Values::Doubles,
        out: Out::Word,
        define: |a, b, _| mask(less(d(a), d(b))),
    },
    Family {
        forms: &[
            (DsetpR, R, &[PT, (48, 1), P12[0], P12[1]]),
            (DsetpC, C, &[PT, (48, 1), P12[0], P12[1]]),
            (DsetpI, I, &[PT, (48, 1), P12[0], P12[1]]),
        ],
        values: Values::Doubles,
        out: Out::Predicate,
        define: |a, b, _| less(d(a), d(b)).into(),
    },
    // ---- halves
    Family {
        forms: &[(Hadd2R, R, &[]), (Hadd2C, C, &[]), (Hadd2I, Ih, &[]), (Hadd232i, W, &[])],
        values: Values::Halves,
        out: Out::Word,
        define: |a, b, _| pairwise(a, b, |x, y| to_half(x + y)),
    },
    Family {
        forms: &[(Hmul2R, R, &[]), (Hmul2C, C, &[]), (Hmul2I, Ih, &[]), (Hmul232i, W, &[])],
        values: Values::Halves,
        out: Out::Word,
        define: |a, b, _| pairwise(a, b, |x, y| to_half(x * y)),
    },
    Family {
        forms: &[
            (Hfma2R, R, &[]),
            (Hfma2C, C, &[]),
            (Hfma2I, Ih, &[]),
            (Hfma2Rc, Rc, &[]),
            (Hfma232i, Wd, &[]),
        ],
        values: Values::Halves,
        out: Out::Word,
        // Products and sums of halves are exact in a binary64.
        define: |a, b, c| {
            let z = f64::from(half(c & 0xffff));
            pairwise(a, b, |x, y| to_half(if x * y + z == 0.0 { x.mul_add(y, z) } else { x * y + z }))
        },
    },
    Family {
        forms: &[(Hset2R, R, &[PT, (35, 1)]), (Hset2C, C, &[PT, (49, 1)]), (Hset2I, Ih, &[PT, (49, 1)])],
        values: Values::Halves,
        out: Out::Word,
        define: |a, b, _| pairwise(a, b, |x, y| mask(less(x, y)) & 0xffff),
    },
    Family {
        // Both halves: the second predicate is the opposite.
        forms: &[
            (Hsetp2R, R, &[PT, (35, 1), (49, 1), P12[0], P12[1]]),
            (Hsetp2C, C, &[PT, (49, 1), (53, 1), P12[0], P12[1]]),
            (Hsetp2I, Ih, &[PT, (49, 1), (53, 1), P12[0], P12[1]]),
        ],
        values: Values::Halves,
        out: Out::Predicate,
        define: |a, b, _| (pairwise(a, b, |x, y| u64::from(less(x, y))) == 0x1_0001).into(),
    },
    // ---- conversions: the source is B
    Family {
        forms: &[(F2fR, R, &[(8, 3), (10, 2)]), (F2fC, C, &[(8, 3), (10, 2)]), (F2fI, I, &[(8, 3), (10, 2)])],
        values: Values::Floats,
        out: Out::Pair,
        define: |_, b, _| f64::from(f(b)).to_bits(),
    },
    Family {
        forms: &[
            (F2iR, R, &[(8, 2), (10, 2), (12, 1), (39, 3)]),
            (F2iC, C, &[(8, 2), (10, 2), (12, 1), (39, 3)]),
            (F2iI, I, &[(8, 2), (10, 2), (12, 1), (39, 3)]),
        ],
        values: Values::Floats,
        out: Out::Word,
        define: |_, b, _| {
            let exact = f64::from(f(b)).trunc().clamp(-2_147_483_648.0, 2_147_483_647.0);
            w(exact as i64 as u64)
        },
    },
    Family {
        forms: &[
            (I2fR, R, &[(8, 2), (10, 2), (13, 1)]),
            (I2fC, C, &[(8, 2), (10, 2), (13, 1)]),
            (I2fI, I, &[(8, 2), (10, 2), (13, 1)]),
        ],
        values: Values::Ints,
        out: Out::Word,
        define: |_, b, _| (int(b) as f32).to_bits().into(),
    },
    Family {
        forms: &[
            (I2iR, R, &[(8, 1), (12, 1), (10, 2), (13, 1), (50, 1)]),
            (I2iC, C, &[(8, 1), (12, 1), (10, 2), (13, 1), (50, 1)]),
            (I2iI, I, &[(8, 1), (12, 1), (10, 2), (13, 1), (50, 1)]),
        ],
        values: Values::Ints,
        out: Out::Word,
        define: |_, b, _| w(int(b).clamp(-32768, 32767) as u64),
    },
];
