//! Instruction to text as Mesa's disassembler for the lima driver writes it, character for character.
//!
//! A result is `^k`, where `k` is six times the index of the instruction plus the number of the unit. The text
//! leaves fields of unused units out, so it does not determine the instruction word; see [`super::print`] for
//! the text that does.

use super::inst::{Inst, Register, Source, SourceKind, Store, StoreSource};
use super::out::{Cursor, Out, Piece};
use super::table::{ComplexOp, IDENTITY, MulOp, PassOp, UNUSED, Unit};
use super::{decode, instructions};
use unshade_isa_common::text::{PartKind, Sink};

/// Writes a whole code. Words at the end that make no whole instruction are left out, as Mesa does.
pub fn list(words: &[u32], sink: &mut impl Sink) {
    let (instructions, _) = instructions(words);
    // What a source names that reads the load of an instruction before the first one is not defined.
    let mut previous = Register { number: 0, attribute: false };
    let mut out = Out::new(sink);
    for (index, word) in instructions.enumerate() {
        let inst = decode(word);
        out.reserve();
        out.lines(|out| write(out, &inst, index as u32, previous));
        previous = inst.reg0;
    }
    out.finish();
}

/// Writes one instruction with its line ends. `previous` is the first register load of the one before.
pub fn instruction(sink: &mut impl Sink, inst: &Inst, index: u32, previous: Register) {
    let mut out = Out::new(sink);
    out.lines(|out| write(out, inst, index, previous));
    out.finish();
}

#[inline(always)]
fn write<S: Sink>(out: &mut Cursor<'_, S>, inst: &Inst, index: u32, previous: Register) {
    let first = index.wrapping_mul(4);
    let words = first..first.wrapping_add(4);
    let stores = inst.store.iter().flat_map(|store| store.sources);
    let stored = stores.fold(0, |stored, source| stored | 1 << (source.0 & 7));
    let mut line = Line { out, inst, previous, words, base: index.wrapping_mul(6), stored, empty: true };
    three_digits(line.out, index);
    line.out.put(PartKind::Punctuation, &COLON);
    for (n, add) in inst.add.iter().enumerate() {
        line.adder(n, add);
    }
    line.multipliers();
    line.complex();
    line.pass();
    if inst.branch {
        line.start(&BRANCH);
        line.result(Unit::Pass, 0);
        line.out.put(PartKind::Plain, &BLANK);
        three_digits(line.out, inst.target.into());
        line.out.end_line();
    }
    if inst.unknown_1 & 15 != 0 {
        line.start(&UNKNOWN_1);
        line.out.number(PartKind::Immediate, (inst.unknown_1 & 15).into());
        line.out.end_line();
    }
    if line.empty {
        line.start(&NOP);
        line.out.end_line();
    }
}

/// A number with at least three digits.
#[inline(always)]
fn three_digits<S: Sink>(out: &mut Cursor<'_, S>, value: u32) {
    if value < 100 {
        out.put(PartKind::Immediate, &ZEROS[usize::from(value < 10)]);
    }
    out.number(PartKind::Immediate, value);
}

static ZEROS: [Piece; 2] = Piece::all(["0", "00"]);
static COLON: Piece = Piece::new(":");
static BLANK: Piece = Piece::new(" ");
static BLANK_MINUS: Piece = Piece::new(" -");
static CARET: Piece = Piece::new("^");
static MINUS: Piece = Piece::new("-");
static TAB: Piece = Piece::new("\t");
static MEMORY: Piece = Piece::new("t[");
static TEMPORARY: Piece = Piece::new("/t[addr0].");
static UNUSED_SOURCE: Piece = Piece::new("unused");
static NEUTRAL: [Piece; 2] = Piece::all(["0", "1"]);
static BRANCH: Piece = Piece::new("\tbranch ");
static UNKNOWN_1: Piece = Piece::new("\tunknown_1 ");
static NOP: Piece = Piece::new("\tnop");
static COMPLEX2: Piece = Piece::new("\tcomplex2.m0 ");
static MOVES: [Piece; 4] = Piece::all(["\tmov.a0 ", "\tmov.a1 ", "\tmov.m0 ", "\tmov.m1 "]);
static MULTIPLY: [Piece; 2] = Piece::all(["\tmul.m0 ", "\tmul.m1 "]);
static JOINED: [Piece; 8] = Piece::all([
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
static ADDERS: [[Piece; 8]; 2] = [
    Piece::all(["\tadd.a0 ", "\tfloor.a0 ", "\tsign.a0 ", "\top3.a0 ", "\tge.a0 ", "\tlt.a0 ", "\tmin.a0 ", "\tmax.a0 "]),
    Piece::all(["\tadd.a1 ", "\tfloor.a1 ", "\tsign.a1 ", "\top3.a1 ", "\tge.a1 ", "\tlt.a1 ", "\tmin.a1 ", "\tmax.a1 "]),
];
#[rustfmt::skip]
static COMPLEX: [Piece; 16] = Piece::all([
    "", "\tunk1.c ", "\texp2.c ", "\tlog2.c ", "\trsqrt.c ", "\trcp.c ", "\tunk6.c ", "\tunk7.c ",
    "\tunk8.c ", "\tmov.c ", "\tunk10.c ", "\tunk11.c ", "\tmov.c ", "\tmov.c ", "\tmov.c ", "\tmov.c ",
]);
static ADDRESSES: [Piece; 4] = Piece::all(["/addr0", "/addr1", "/addr2", "/addr3"]);
#[rustfmt::skip]
static PASS: [Piece; 8] = Piece::all([
    "\tunk0.p ", "\tunk1.p ", "\tmov.p ", "\tunk3.p ", "\tpreexp2.p ", "\tpostlog2.p ", "\tclamp.p ", "\tunk7.p ",
]);
#[rustfmt::skip]
static OFFSETS: [Piece; 8] =
    Piece::all(["+unk0].", "+addr1].", "+addr2].", "+addr3].", "+unk4].", "+unk5].", "+unk6].", "]."]);
#[rustfmt::skip]
static UNKNOWN: [Piece; 4] = Piece::all(["unknown0", "unknown1", "unknown2", "unknown3"]);
/// Stores to registers and to varyings.
#[rustfmt::skip]
static STORED: [[Piece; 16]; 2] = [
    Piece::all([
        "/$0.", "/$1.", "/$2.", "/$3.", "/$4.", "/$5.", "/$6.", "/$7.",
        "/$8.", "/$9.", "/$10.", "/$11.", "/$12.", "/$13.", "/$14.", "/$15.",
    ]),
    Piece::all([
        "/v0.", "/v1.", "/v2.", "/v3.", "/v4.", "/v5.", "/v6.", "/v7.",
        "/v8.", "/v9.", "/v10.", "/v11.", "/v12.", "/v13.", "/v14.", "/v15.",
    ]),
];
/// Components of a store: by slot, then by a bit for each of its two.
static MASKS: [[Piece; 4]; 2] = [Piece::all(["", "x", "y", "xy"]), Piece::all(["", "z", "w", "zw"])];
/// Registers and attributes.
#[rustfmt::skip]
pub(super) static REGISTERS: [[Piece; 16]; 2] = [
    Piece::all([
        "$0.", "$1.", "$2.", "$3.", "$4.", "$5.", "$6.", "$7.",
        "$8.", "$9.", "$10.", "$11.", "$12.", "$13.", "$14.", "$15.",
    ]),
    Piece::all([
        "a0.", "a1.", "a2.", "a3.", "a4.", "a5.", "a6.", "a7.",
        "a8.", "a9.", "a10.", "a11.", "a12.", "a13.", "a14.", "a15.",
    ]),
];

/// One instruction on its way into a sink.
struct Line<'a, 'b, S: Sink> {
    out: &'a mut Cursor<'b, S>,
    inst: &'a Inst,
    previous: Register,
    words: std::ops::Range<u32>,
    /// Number of the instruction's first result.
    base: u32,
    /// What is stored, a bit by [`StoreSource`] number.
    stored: u8,
    /// Nothing has been written behind the head.
    empty: bool,
}

impl<S: Sink> Line<'_, '_, S> {
    /// Starts a line with its operation.
    #[inline(always)]
    fn start(&mut self, mnemonic: &Piece) {
        self.empty = false;
        self.out.words(self.words.clone());
        self.out.put_two(PartKind::Plain, 1, PartKind::Mnemonic, mnemonic);
    }

    #[inline]
    fn adder(&mut self, n: usize, add: &super::Add) {
        let [first, second] = add.sources;
        if first.0 == UNUSED {
            return;
        }
        let unit = [Unit::Add0, Unit::Add1][n & 1];
        let op = self.inst.add_op;
        // Adding -0 changes nothing; the tool looks for it beside any operation.
        let moves = second.0 == IDENTITY && add.negate[1];
        self.start(if moves { &MOVES[n & 1] } else { &ADDERS[n & 1][op as usize] });
        self.destination(unit);
        self.source(first, None, add.negate[0]);
        if !moves && op.sources() > 1 {
            self.source(second, Some(&NEUTRAL[0]), add.negate[1]);
        }
        self.out.end_line();
    }

    #[inline]
    fn multipliers(&mut self) {
        let op = self.inst.mul_op;
        if op.is_wide() {
            return self.joined();
        }
        for (n, mul) in self.inst.mul.iter().enumerate() {
            if mul.sources[0].0 == UNUSED || mul.sources[1].0 == UNUSED {
                continue;
            }
            let moves = mul.sources[1].0 == IDENTITY && !mul.negate;
            self.start(match op {
                _ if moves => &MOVES[2 + (n & 1)],
                MulOp::Complex2 if n == 0 => &COMPLEX2,
                _ => &MULTIPLY[n & 1],
            });
            self.destination([Unit::Mul0, Unit::Mul1][n & 1]);
            self.source(mul.sources[0], None, false);
            if !moves {
                self.source(mul.sources[1], Some(&NEUTRAL[1]), mul.negate);
            }
            self.out.end_line();
        }
    }

    #[inline]
    fn joined(&mut self) {
        let op = self.inst.mul_op;
        let [first, second] = self.inst.mul;
        self.start(&JOINED[op as usize]);
        self.destination(Unit::Mul0);
        let one = Some(&NEUTRAL[1]);
        if op == MulOp::Select {
            // The tool names the condition first, then the result for 0.
            self.source(first.sources[1], one, false);
            self.source(first.sources[0], None, false);
            self.source(second.sources[0], None, false);
        } else {
            for mul in [first, second] {
                self.source(mul.sources[0], None, false);
                self.source(mul.sources[1], one, false);
            }
        }
        self.out.end_line();
    }

    #[inline]
    fn complex(&mut self) {
        let Inst { complex, complex_op, .. } = *self.inst;
        if complex.0 == UNUSED {
            return;
        }
        if complex_op == ComplexOp::Off {
            // The tool has written its tab by then.
            return self.out.put(PartKind::Plain, &TAB);
        }
        self.start(&COMPLEX[complex_op as usize]);
        self.destination(Unit::Complex);
        if let n @ 12..=15 = complex_op.number() {
            self.out.put(PartKind::Register, &ADDRESSES[n as usize - 12]);
        }
        self.source(complex, None, false);
        self.out.end_line();
    }

    #[inline]
    fn pass(&mut self) {
        let Inst { pass, pass_op, .. } = *self.inst;
        if pass.0 == UNUSED {
            return;
        }
        self.start(&PASS[pass_op as usize]);
        self.destination(Unit::Pass);
        self.source(pass, None, false);
        if pass_op == PassOp::Clamp {
            self.source(Source(12), None, false);
            self.source(Source(13), None, false);
        }
        self.out.end_line();
    }

    /// The number of a unit's result so many instructions ago; it is below 0 before the first instruction.
    #[inline]
    fn result(&mut self, unit: Unit, back: u8) {
        let number = self.base.wrapping_add(unit as u32).wrapping_sub(u32::from(back) * 6) as i32;
        self.out.put(PartKind::Register, &CARET);
        if number < 0 {
            self.out.put(PartKind::Register, &MINUS);
        }
        self.out.number(PartKind::Register, number.unsigned_abs());
    }

    #[inline]
    fn destination(&mut self, unit: Unit) {
        self.result(unit, 0);
        if self.stored >> StoreSource::of(unit).0 & 1 == 1 {
            self.stores(StoreSource::of(unit));
        }
    }

    /// Where a unit's result is stored.
    #[inline(never)]
    fn stores(&mut self, stored: StoreSource) {
        let inst = self.inst;
        for (slot, Store { sources, number, varying, temporary }) in inst.store.iter().enumerate() {
            let mask = usize::from(sources[0] == stored) | usize::from(sources[1] == stored) << 1;
            if mask == 0 {
                continue;
            }
            let place = if *temporary {
                &TEMPORARY
            } else {
                &STORED[usize::from(*varying)][usize::from(number & 15)]
            };
            self.out.put(PartKind::Register, place);
            self.out.put(PartKind::Register, &MASKS[slot & 1][mask]);
        }
    }

    #[inline(always)]
    fn register(&mut self, register: Register, component: u8) {
        let name = &REGISTERS[usize::from(register.attribute)][usize::from(register.number & 15)];
        self.out.put(PartKind::Register, name);
        self.out.component(PartKind::Register, component);
    }

    /// A source with a blank in front; `neutral` is how the neutral element is written where there is one.
    #[inline(never)]
    fn source(&mut self, source: Source, neutral: Option<&'static Piece>, negate: bool) {
        self.out.put_two(
            PartKind::Plain,
            1,
            PartKind::Punctuation,
            if negate { &BLANK_MINUS } else { &BLANK },
        );
        match source.kind() {
            SourceKind::Reg0(component) => self.register(self.inst.reg0, component),
            SourceKind::Reg1(component) => {
                self.register(Register { number: self.inst.reg1, attribute: false }, component);
            }
            SourceKind::PreviousReg0(component) => self.register(self.previous, component),
            SourceKind::Unknown(n) => self.out.put(PartKind::Register, &UNKNOWN[usize::from(n & 3)]),
            SourceKind::Load(component) => {
                let load = self.inst.load;
                self.out.put(PartKind::Register, &MEMORY);
                self.out.number(PartKind::Register, load.address.into());
                self.out.put(PartKind::Register, &OFFSETS[usize::from(load.offset & 7)]);
                self.out.component(PartKind::Register, component);
            }
            SourceKind::Result(unit, back) => self.result(unit, back),
            SourceKind::Unused => self.out.put(PartKind::Plain, &UNUSED_SOURCE),
            SourceKind::Identity => match neutral {
                Some(text) => self.out.put(PartKind::Immediate, text),
                None => self.result(Unit::Complex, 1),
            },
        }
    }
}
