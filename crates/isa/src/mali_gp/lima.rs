//! Instruction to text as Mesa's disassembler for the lima driver writes it, character for character.
//!
//! A result is `^k`, where `k` is six times the index of the instruction plus the number of the unit. The text
//! leaves fields of unused units out, so it does not determine the instruction word; see [`super::print`] for
//! the text that does.

use super::inst::{Inst, Register, Source, SourceKind, Store, StoreSource};
use super::table::{ComplexOp, IDENTITY, MulOp, PassOp, UNUSED, Unit};
use super::{decode, instructions};
use crate::text::{PartKind, Short, Sink};

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
    let mut line = Line { sink, inst, previous, index, base: index.wrapping_mul(6), empty: true };
    line.head();
    for (n, add) in inst.add.iter().enumerate() {
        line.adder(n, add);
    }
    line.multipliers();
    line.complex();
    line.pass();
    if inst.branch {
        line.start();
        line.put(PartKind::Mnemonic, &BRANCH);
        line.result(Unit::Pass, 0);
        line.put(PartKind::Plain, &BLANK);
        three_digits(line.sink, inst.target.into());
        line.end();
    }
    if inst.unknown_1 & 15 != 0 {
        line.start();
        line.put(PartKind::Mnemonic, &UNKNOWN_1);
        line.sink.decimal(PartKind::Immediate, (inst.unknown_1 & 15).into());
        line.end();
    }
    if line.empty {
        line.start();
        line.put(PartKind::Mnemonic, &NOP);
        line.end();
    }
}

static BRANCH: Short<'static> = Short::new("branch ");
static UNKNOWN_1: Short<'static> = Short::new("unknown_1 ");
static NOP: Short<'static> = Short::new("nop");
static TAB: Short<'static> = Short::new("\t");
static BLANK: Short<'static> = Short::new(" ");
static MINUS: Short<'static> = Short::new("-");
static ZERO: Short<'static> = Short::new("0");
static ONE: Short<'static> = Short::new("1");
static CARET: Short<'static> = Short::new("^");
static NOTHING: Short<'static> = Short::new("unused");
static CLAMP: Short<'static> = Short::new("clamp.p ");
static MEMORY: Short<'static> = Short::new("t[");
static TEMPORARY: Short<'static> = Short::new("/t[addr0]");
static COMPLEX1: Short<'static> = Short::new("complex1.m01 ");
static COMPLEX2: Short<'static> = Short::new("complex2.m0 ");
static SELECT: Short<'static> = Short::new("sel.m01 ");
static MOVES: [Short<'static>; 4] = Short::all(["mov.a0 ", "mov.a1 ", "mov.m0 ", "mov.m1 "]);
static MULTIPLY: [Short<'static>; 2] = Short::all(["mul.m0 ", "mul.m1 "]);
static JOINED: [Short<'static>; 8] = Short::all([
    "unknown0.m01 ",
    "unknown1.m01 ",
    "unknown2.m01 ",
    "unknown3.m01 ",
    "unknown4.m01 ",
    "unknown5.m01 ",
    "unknown6.m01 ",
    "unknown7.m01 ",
]);
static ADDERS: [[Short<'static>; 8]; 2] = [
    Short::all(["add.a0 ", "floor.a0 ", "sign.a0 ", "op3.a0 ", "ge.a0 ", "lt.a0 ", "min.a0 ", "max.a0 "]),
    Short::all(["add.a1 ", "floor.a1 ", "sign.a1 ", "op3.a1 ", "ge.a1 ", "lt.a1 ", "min.a1 ", "max.a1 "]),
];
static COMPLEX: [Short<'static>; 16] = Short::all([
    "", "unk1.c ", "exp2.c ", "log2.c ", "rsqrt.c ", "rcp.c ", "unk6.c ", "unk7.c ", "unk8.c ", "mov.c ",
    "unk10.c ", "unk11.c ", "mov.c ", "mov.c ", "mov.c ", "mov.c ",
]);
static ADDRESSES: [Short<'static>; 4] = Short::all(["/addr0", "/addr1", "/addr2", "/addr3"]);
static PASS: [Short<'static>; 8] = Short::all([
    "unk0.p ",
    "unk1.p ",
    "mov.p ",
    "unk3.p ",
    "preexp2.p ",
    "postlog2.p ",
    "clamp.p ",
    "unk7.p ",
]);
static OFFSETS: [Short<'static>; 8] =
    Short::all(["+unk0]", "+addr1]", "+addr2]", "+addr3]", "+unk4]", "+unk5]", "+unk6]", "]"]);
static UNKNOWN: [Short<'static>; 4] = Short::all(["unknown0", "unknown1", "unknown2", "unknown3"]);
/// Stores to registers and to varyings.
static STORED: [[Short<'static>; 16]; 2] = [
    Short::all([
        "/$0", "/$1", "/$2", "/$3", "/$4", "/$5", "/$6", "/$7", "/$8", "/$9", "/$10", "/$11", "/$12", "/$13",
        "/$14", "/$15",
    ]),
    Short::all([
        "/v0", "/v1", "/v2", "/v3", "/v4", "/v5", "/v6", "/v7", "/v8", "/v9", "/v10", "/v11", "/v12", "/v13",
        "/v14", "/v15",
    ]),
];
/// Components of a store: by slot, then by a bit for each of its two.
static MASKS: [[Short<'static>; 4]; 2] =
    [Short::all(["", ".x", ".y", ".xy"]), Short::all(["", ".z", ".w", ".zw"])];
/// Registers and attributes.
pub(super) static REGISTERS: [[Short<'static>; 16]; 2] = [
    Short::all([
        "$0", "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15",
    ]),
    Short::all([
        "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13", "a14", "a15",
    ]),
];
/// Components.
pub(super) static COMPONENTS: [Short<'static>; 4] = Short::all([".x", ".y", ".z", ".w"]);

/// One instruction on its way into a sink.
struct Line<'a, S> {
    sink: &'a mut S,
    inst: &'a Inst,
    previous: Register,
    index: u32,
    /// Number of the instruction's first result.
    base: u32,
    /// Nothing has been written behind the head.
    empty: bool,
}

impl<S: Sink> Line<'_, S> {
    #[inline(always)]
    fn put(&mut self, kind: PartKind, text: &Short<'_>) {
        self.sink.put_short(kind, text);
    }

    fn head(&mut self) {
        three_digits(self.sink, self.index);
        self.sink.put(PartKind::Punctuation, ":");
    }

    #[inline(always)]
    fn start(&mut self) {
        self.empty = false;
        let first = self.index.wrapping_mul(4);
        self.sink.words(first..first.wrapping_add(4));
        self.put(PartKind::Plain, &TAB);
    }

    #[inline(always)]
    fn end(&mut self) {
        self.sink.end_line();
    }

    fn adder(&mut self, n: usize, add: &super::Add) {
        let [first, second] = add.sources;
        if first.0 & 31 == UNUSED {
            return;
        }
        let unit = [Unit::Add0, Unit::Add1][n & 1];
        let op = self.inst.add_op;
        // Adding -0 changes nothing; the tool looks for it beside any operation.
        let moves = second.0 & 31 == IDENTITY && add.negate[1];
        self.start();
        self.put(PartKind::Mnemonic, if moves { &MOVES[n & 1] } else { &ADDERS[n & 1][op as usize] });
        self.destination(unit);
        self.put(PartKind::Plain, &BLANK);
        self.source(first, unit, 0, add.negate[0]);
        if !moves && op.sources() > 1 {
            self.put(PartKind::Plain, &BLANK);
            self.source(second, unit, 1, add.negate[1]);
        }
        self.end();
    }

    fn multipliers(&mut self) {
        let op = self.inst.mul_op;
        let [first, second] = self.inst.mul;
        if !op.is_wide() {
            for (n, mul) in [first, second].iter().enumerate() {
                if mul.sources.iter().any(|source| source.0 & 31 == UNUSED) {
                    continue;
                }
                let unit = [Unit::Mul0, Unit::Mul1][n];
                let moves = mul.sources[1].0 & 31 == IDENTITY && !mul.negate;
                self.start();
                self.put(
                    PartKind::Mnemonic,
                    match op {
                        _ if moves => &MOVES[2 + n],
                        MulOp::Complex2 if n == 0 => &COMPLEX2,
                        _ => &MULTIPLY[n],
                    },
                );
                self.destination(unit);
                self.put(PartKind::Plain, &BLANK);
                self.source(mul.sources[0], unit, 0, false);
                if !moves {
                    self.put(PartKind::Plain, &BLANK);
                    self.source(mul.sources[1], unit, 1, mul.negate);
                }
                self.end();
            }
            return;
        }
        self.start();
        self.put(
            PartKind::Mnemonic,
            match op {
                MulOp::Complex1 => &COMPLEX1,
                MulOp::Select => &SELECT,
                _ => &JOINED[op as usize],
            },
        );
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
            self.put(PartKind::Plain, &BLANK);
            self.source(source, unit, n, false);
        }
        self.end();
    }

    fn complex(&mut self) {
        let Inst { complex, complex_op, .. } = *self.inst;
        if complex.0 & 31 == UNUSED {
            return;
        }
        if complex_op == ComplexOp::Off {
            // The tool has written its tab by then.
            return self.put(PartKind::Plain, &TAB);
        }
        self.start();
        self.put(PartKind::Mnemonic, &COMPLEX[complex_op as usize]);
        self.destination(Unit::Complex);
        if let n @ 12..=15 = complex_op.number() {
            self.put(PartKind::Register, &ADDRESSES[n as usize - 12]);
        }
        self.put(PartKind::Plain, &BLANK);
        self.source(complex, Unit::Complex, 0, false);
        self.end();
    }

    fn pass(&mut self) {
        let Inst { pass, pass_op, .. } = *self.inst;
        if pass.0 & 31 == UNUSED {
            return;
        }
        self.start();
        self.put(PartKind::Mnemonic, if pass_op == PassOp::Clamp { &CLAMP } else { &PASS[pass_op as usize] });
        self.destination(Unit::Pass);
        self.put(PartKind::Plain, &BLANK);
        self.source(pass, Unit::Pass, 0, false);
        if pass_op == PassOp::Clamp {
            for bound in 0..2 {
                self.put(PartKind::Plain, &BLANK);
                self.load(bound);
            }
        }
        self.end();
    }

    /// The number of a unit's result so many instructions ago; it is below 0 before the first instruction.
    fn result(&mut self, unit: Unit, back: u8) {
        self.put(PartKind::Register, &CARET);
        let number = self.base.wrapping_add(unit as u32).wrapping_sub(u32::from(back) * 6) as i32;
        if number < 0 {
            self.put(PartKind::Register, &MINUS);
        }
        self.sink.decimal(PartKind::Register, number.unsigned_abs());
    }

    fn destination(&mut self, unit: Unit) {
        self.result(unit, 0);
        let stored = StoreSource::of(unit);
        let inst = self.inst;
        for (slot, Store { sources, number, varying, temporary }) in inst.store.iter().enumerate() {
            let mask =
                usize::from(sources[0].0 & 7 == stored.0) | usize::from(sources[1].0 & 7 == stored.0) << 1;
            if mask == 0 {
                continue;
            }
            self.put(
                PartKind::Register,
                if *temporary {
                    &TEMPORARY
                } else {
                    &STORED[usize::from(*varying)][usize::from(number & 15)]
                },
            );
            self.put(PartKind::Register, &MASKS[slot & 1][mask]);
        }
    }

    fn load(&mut self, component: u8) {
        let load = self.inst.load;
        self.put(PartKind::Register, &MEMORY);
        self.sink.decimal(PartKind::Register, load.address.into());
        self.put(PartKind::Register, &OFFSETS[usize::from(load.offset & 7)]);
        self.put(PartKind::Register, &COMPONENTS[usize::from(component & 3)]);
    }

    fn register(&mut self, register: Register, component: u8) {
        let names = &REGISTERS[usize::from(register.attribute)];
        self.put(PartKind::Register, &names[usize::from(register.number & 15)]);
        self.put(PartKind::Register, &COMPONENTS[usize::from(component & 3)]);
    }

    #[inline]
    fn source(&mut self, source: Source, unit: Unit, n: usize, negate: bool) {
        if negate {
            self.put(PartKind::Punctuation, &MINUS);
        }
        match source.kind() {
            SourceKind::Reg0(component) => self.register(self.inst.reg0, component),
            SourceKind::Reg1(component) => {
                self.register(Register { number: self.inst.reg1, attribute: false }, component);
            }
            SourceKind::PreviousReg0(component) => self.register(self.previous, component),
            SourceKind::Unknown(n) => self.put(PartKind::Register, &UNKNOWN[usize::from(n & 3)]),
            SourceKind::Load(component) => self.load(component),
            SourceKind::Result(unit, back) => self.result(unit, back),
            SourceKind::Unused => self.put(PartKind::Plain, &NOTHING),
            SourceKind::Identity => match unit {
                Unit::Add0 | Unit::Add1 if n == 1 => self.put(PartKind::Immediate, &ZERO),
                Unit::Mul0 | Unit::Mul1 if n == 1 => self.put(PartKind::Immediate, &ONE),
                _ => self.result(Unit::Complex, 1),
            },
        }
    }
}

/// A number with at least three digits.
fn three_digits(sink: &mut impl Sink, value: u32) {
    if value < 100 {
        sink.put(PartKind::Immediate, if value < 10 { "00" } else { "0" });
    }
    sink.decimal(PartKind::Immediate, value);
}
