//! Instruction to text as Mesa's disassembler for the lima driver writes it, character for character.
//!
//! A result is `^k`, where `k` is six times the index of the instruction plus the number of the unit. The text
//! leaves fields of unused units out, so it does not determine the instruction word; see [`super::print`] for
//! the text that does.

use super::inst::{Inst, Register, Source, SourceKind, Store, StoreSource};
use super::packed::Packed;
use super::table::{ComplexOp, IDENTITY, MulOp, PassOp, UNUSED, Unit};
use super::{decode, instructions};
use crate::text::{PartKind, Sink};

/// Writes a whole code. Words at the end that make no whole instruction are left out, as Mesa does.
pub fn list(words: &[u32], sink: &mut impl Sink) {
    let (instructions, _) = instructions(words);
    // What a source names that reads the load of an instruction before the first one is not defined.
    let mut previous = Register { number: 0, attribute: false };
    for (index, word) in instructions.enumerate() {
        let inst = decode(word);
        instruction(sink, &inst, index as u32, previous);
        previous = inst.reg0;
    }
}

/// Writes one instruction with its line ends. `previous` is the first register load of the one before.
pub fn instruction(sink: &mut impl Sink, inst: &Inst, index: u32, previous: Register) {
    let first = index.wrapping_mul(4);
    let words = first..first.wrapping_add(4);
    let mut line = Line { sink, inst, previous, words, base: index.wrapping_mul(6), empty: true };
    let zeros = match index {
        0..10 => const { Packed::new("00") },
        10..100 => const { Packed::new("0") },
        _ => const { Packed::new("") },
    };
    zeros.number(index).put(line.sink, PartKind::Immediate, 16, PartKind::Immediate);
    const { Packed::new(":") }.put(line.sink, PartKind::Punctuation, 1, PartKind::Plain);
    for (n, add) in inst.add.iter().enumerate() {
        line.adder(n, add);
    }
    line.multipliers();
    line.complex();
    line.pass();
    if inst.branch {
        line.start(const { Packed::new("\tbranch ") });
        line.result(const { Packed::new("") }, Unit::Pass, 0);
        let target = u32::from(inst.target);
        let zeros = match target {
            0..10 => const { Packed::new(" 00") },
            10..100 => const { Packed::new(" 0") },
            _ => const { Packed::new(" ") },
        };
        zeros.number(target).put(line.sink, PartKind::Plain, 1, PartKind::Immediate);
        line.sink.end_line();
    }
    if inst.unknown_1 & 15 != 0 {
        line.start(const { Packed::new("\tunknown_1 ") });
        let value = const { Packed::new("") }.number((inst.unknown_1 & 15).into());
        value.put(line.sink, PartKind::Immediate, 16, PartKind::Immediate);
        line.sink.end_line();
    }
    if line.empty {
        line.start(const { Packed::new("\tnop") });
        line.sink.end_line();
    }
}

static MOVES: [Packed; 4] = Packed::all(["\tmov.a0 ", "\tmov.a1 ", "\tmov.m0 ", "\tmov.m1 "]);
static MULTIPLY: [Packed; 2] = Packed::all(["\tmul.m0 ", "\tmul.m1 "]);
static JOINED: [Packed; 8] = Packed::all([
    "\tunknown0.m01 ",
    "\tcomplex1.m01 ",
    "\tunknown2.m01 ",
    "\tunknown3.m01 ",
    "\tsel.m01 ",
    "\tunknown5.m01 ",
    "\tunknown6.m01 ",
    "\tunknown7.m01 ",
]);
#[rustfmt::skip]
static ADDERS: [[Packed; 8]; 2] = [
    Packed::all(["\tadd.a0 ", "\tfloor.a0 ", "\tsign.a0 ", "\top3.a0 ", "\tge.a0 ", "\tlt.a0 ", "\tmin.a0 ", "\tmax.a0 "]),
    Packed::all(["\tadd.a1 ", "\tfloor.a1 ", "\tsign.a1 ", "\top3.a1 ", "\tge.a1 ", "\tlt.a1 ", "\tmin.a1 ", "\tmax.a1 "]),
];
#[rustfmt::skip]
static COMPLEX: [Packed; 16] = Packed::all([
    "", "\tunk1.c ", "\texp2.c ", "\tlog2.c ", "\trsqrt.c ", "\trcp.c ", "\tunk6.c ", "\tunk7.c ",
    "\tunk8.c ", "\tmov.c ", "\tunk10.c ", "\tunk11.c ", "\tmov.c ", "\tmov.c ", "\tmov.c ", "\tmov.c ",
]);
static ADDRESSES: [Packed; 4] = Packed::all(["/addr0", "/addr1", "/addr2", "/addr3"]);
#[rustfmt::skip]
static PASS: [Packed; 8] = Packed::all([
    "\tunk0.p ", "\tunk1.p ", "\tmov.p ", "\tunk3.p ", "\tpreexp2.p ", "\tpostlog2.p ", "\tclamp.p ", "\tunk7.p ",
]);
#[rustfmt::skip]
static OFFSETS: [Packed; 8] =
    Packed::all(["+unk0].", "+addr1].", "+addr2].", "+addr3].", "+unk4].", "+unk5].", "+unk6].", "]."]);
#[rustfmt::skip]
static UNKNOWN: [Packed; 4] = Packed::all(["unknown0", "unknown1", "unknown2", "unknown3"]);
/// Stores to registers and to varyings.
#[rustfmt::skip]
static STORED: [[Packed; 16]; 2] = [
    Packed::all([
        "/$0.", "/$1.", "/$2.", "/$3.", "/$4.", "/$5.", "/$6.", "/$7.",
        "/$8.", "/$9.", "/$10.", "/$11.", "/$12.", "/$13.", "/$14.", "/$15.",
    ]),
    Packed::all([
        "/v0.", "/v1.", "/v2.", "/v3.", "/v4.", "/v5.", "/v6.", "/v7.",
        "/v8.", "/v9.", "/v10.", "/v11.", "/v12.", "/v13.", "/v14.", "/v15.",
    ]),
];
/// Components of a store: by slot, then by a bit for each of its two.
static MASKS: [[Packed; 4]; 2] = [Packed::all(["", "x", "y", "xy"]), Packed::all(["", "z", "w", "zw"])];
/// Registers and attributes.
#[rustfmt::skip]
pub(super) static REGISTERS: [[Packed; 16]; 2] = [
    Packed::all([
        "$0.", "$1.", "$2.", "$3.", "$4.", "$5.", "$6.", "$7.",
        "$8.", "$9.", "$10.", "$11.", "$12.", "$13.", "$14.", "$15.",
    ]),
    Packed::all([
        "a0.", "a1.", "a2.", "a3.", "a4.", "a5.", "a6.", "a7.",
        "a8.", "a9.", "a10.", "a11.", "a12.", "a13.", "a14.", "a15.",
    ]),
];

/// One instruction on its way into a sink.
struct Line<'a, S> {
    sink: &'a mut S,
    inst: &'a Inst,
    previous: Register,
    words: std::ops::Range<u32>,
    /// Number of the instruction's first result.
    base: u32,
    /// Nothing has been written behind the head.
    empty: bool,
}

impl<S: Sink> Line<'_, S> {
    /// Starts a line with its operation.
    #[inline(always)]
    fn start(&mut self, mnemonic: Packed) {
        self.empty = false;
        self.sink.words(self.words.clone());
        mnemonic.put(self.sink, PartKind::Plain, 1, PartKind::Mnemonic);
    }

    fn adder(&mut self, n: usize, add: &super::Add) {
        let [first, second] = add.sources;
        if first.0 == UNUSED {
            return;
        }
        let unit = [Unit::Add0, Unit::Add1][n & 1];
        let op = self.inst.add_op;
        // Adding -0 changes nothing; the tool looks for it beside any operation.
        let moves = second.0 == IDENTITY && add.negate[1];
        self.start(if moves { MOVES[n & 1] } else { ADDERS[n & 1][op as usize] });
        self.destination(unit);
        self.source(first, unit, 0, add.negate[0]);
        if !moves && op.sources() > 1 {
            self.source(second, unit, 1, add.negate[1]);
        }
        self.sink.end_line();
    }

    fn multipliers(&mut self) {
        let op = self.inst.mul_op;
        if op.is_wide() {
            return self.joined();
        }
        for (n, mul) in self.inst.mul.iter().enumerate() {
            if mul.sources[0].0 == UNUSED || mul.sources[1].0 == UNUSED {
                continue;
            }
            let unit = [Unit::Mul0, Unit::Mul1][n & 1];
            let moves = mul.sources[1].0 == IDENTITY && !mul.negate;
            self.start(match op {
                _ if moves => MOVES[2 + (n & 1)],
                MulOp::Complex2 if n == 0 => const { Packed::new("\tcomplex2.m0 ") },
                _ => MULTIPLY[n & 1],
            });
            self.destination(unit);
            self.source(mul.sources[0], unit, 0, false);
            if !moves {
                self.source(mul.sources[1], unit, 1, mul.negate);
            }
            self.sink.end_line();
        }
    }

    fn joined(&mut self) {
        let op = self.inst.mul_op;
        let [first, second] = self.inst.mul;
        self.start(JOINED[op as usize]);
        self.destination(Unit::Mul0);
        let all = [
            (first.sources[0], Unit::Mul0, 0),
            (first.sources[1], Unit::Mul0, 1),
            (second.sources[0], Unit::Mul1, 0),
            (second.sources[1], Unit::Mul1, 1),
        ];
        // The tool names the condition of a selection first, then the result for 0.
        let order: &[usize] = if op == MulOp::Select { &[1, 0, 2] } else { &[0, 1, 2, 3] };
        for &at in order {
            let (source, unit, n) = all[at];
            self.source(source, unit, n, false);
        }
        self.sink.end_line();
    }

    fn complex(&mut self) {
        let Inst { complex, complex_op, .. } = *self.inst;
        if complex.0 == UNUSED {
            return;
        }
        if complex_op == ComplexOp::Off {
            // The tool has written its tab by then.
            return const { Packed::new("\t") }.put(self.sink, PartKind::Plain, 1, PartKind::Plain);
        }
        self.start(COMPLEX[complex_op as usize]);
        self.destination(Unit::Complex);
        if let n @ 12..=15 = complex_op.number() {
            ADDRESSES[n as usize - 12].put(self.sink, PartKind::Register, 16, PartKind::Register);
        }
        self.source(complex, Unit::Complex, 0, false);
        self.sink.end_line();
    }

    fn pass(&mut self) {
        let Inst { pass, pass_op, .. } = *self.inst;
        if pass.0 == UNUSED {
            return;
        }
        self.start(PASS[pass_op as usize]);
        self.destination(Unit::Pass);
        self.source(pass, Unit::Pass, 0, false);
        if pass_op == PassOp::Clamp {
            self.source(Source(12), Unit::Pass, 1, false);
            self.source(Source(13), Unit::Pass, 2, false);
        }
        self.sink.end_line();
    }

    /// The number of a unit's result so many instructions ago; it is below 0 before the first instruction.
    #[inline(always)]
    fn result_text(&self, before: Packed, unit: Unit, back: u8) -> Packed {
        let number = self.base.wrapping_add(unit as u32).wrapping_sub(u32::from(back) * 6);
        if number as i32 >= 0 {
            before.then(const { Packed::new("^") }).number(number)
        } else {
            before.then(const { Packed::new("^-") }).number((number as i32).unsigned_abs())
        }
    }

    #[inline(always)]
    fn result(&mut self, before: Packed, unit: Unit, back: u8) {
        self.result_text(before, unit, back).put(self.sink, PartKind::Register, 16, PartKind::Register);
    }

    #[inline(always)]
    fn destination(&mut self, unit: Unit) {
        self.result(const { Packed::new("") }, unit, 0);
        let stored = StoreSource::of(unit);
        let inst = self.inst;
        for (slot, Store { sources, number, varying, temporary }) in inst.store.iter().enumerate() {
            let mask = usize::from(sources[0] == stored) | usize::from(sources[1] == stored) << 1;
            if mask == 0 {
                continue;
            }
            let place = if *temporary {
                const { Packed::new("/t[addr0].") }
            } else {
                STORED[usize::from(*varying)][usize::from(number & 15)]
            };
            place.then(MASKS[slot & 1][mask]).put(self.sink, PartKind::Register, 16, PartKind::Register);
        }
    }

    /// A source with a blank in front.
    #[inline(always)]
    fn source(&mut self, source: Source, unit: Unit, n: usize, negate: bool) {
        let register = |register: Register| {
            REGISTERS[usize::from(register.attribute)][usize::from(register.number & 15)]
        };
        let blank = if negate {
            const { Packed::new(" -") }.put(self.sink, PartKind::Plain, 1, PartKind::Punctuation);
            const { Packed::new("") }
        } else {
            const { Packed::new(" ") }
        };
        let mut kind = PartKind::Register;
        let text = match source.kind() {
            SourceKind::Reg0(component) => blank.then(register(self.inst.reg0)).component(component),
            SourceKind::Reg1(component) => {
                let second = Register { number: self.inst.reg1, attribute: false };
                blank.then(register(second)).component(component)
            }
            SourceKind::PreviousReg0(component) => blank.then(register(self.previous)).component(component),
            SourceKind::Unknown(n) => blank.then(UNKNOWN[usize::from(n & 3)]),
            SourceKind::Load(component) => {
                let load = self.inst.load;
                let address = blank.then(const { Packed::new("t[") }).number(load.address.into());
                address.then(OFFSETS[usize::from(load.offset & 7)]).component(component)
            }
            SourceKind::Result(unit, back) => self.result_text(blank, unit, back),
            SourceKind::Unused => {
                kind = PartKind::Plain;
                blank.then(const { Packed::new("unused") })
            }
            SourceKind::Identity => match unit {
                Unit::Add0 | Unit::Add1 if n == 1 => {
                    kind = PartKind::Immediate;
                    blank.then(const { Packed::new("0") })
                }
                Unit::Mul0 | Unit::Mul1 if n == 1 => {
                    kind = PartKind::Immediate;
                    blank.then(const { Packed::new("1") })
                }
                _ => self.result_text(blank, Unit::Complex, 1),
            },
        };
        text.put(self.sink, PartKind::Plain, usize::from(!negate), kind);
    }
}
