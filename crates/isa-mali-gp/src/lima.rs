//! Instruction to text as Mesa's disassembler for the lima driver writes it, character for character.
//!
//! A result is `^k`, where `k` is six times the index of the instruction plus the number of the unit. The text
//! leaves fields of unused units out, so it does not determine the instruction word; see [`super::print`] for
//! the text that does.

use super::inst::{Inst, Load, Register, Source, SourceKind, Store, StoreSource};
use super::out::{Cursor, Out, Piece};
use super::print::pieces::{
    CARET, MEMORY, MINUS, NEUTRAL, REGISTERS, SLOT_TEXTS, UNKNOWN, UNUSED, lima, offsets,
};
use super::table::{self, ComplexOp, SLOTS, Unit};
use super::{decode, encode, instructions};
use unshade_isa_common::text::{PartKind, Sink};

/// Writes a whole code. Words at the end that make no whole instruction are left out, as Mesa does.
pub fn list(words: &[u32], sink: &mut impl Sink) {
    let (instructions, _) = instructions(words);
    // What a source names that reads the load of an instruction before the first one is not defined.
    let mut previous = Register { number: 0, attribute: false };
    let mut out = Out::new(sink);
    for (index, word) in instructions.enumerate() {
        out.reserve();
        out.lines(|out| previous = write(out, word, index as u32, previous));
    }
    out.finish();
}

/// Writes one instruction with its line ends. `previous` is the first register load of the one before.
pub fn instruction(sink: &mut impl Sink, inst: &Inst, index: u32, previous: Register) {
    let mut out = Out::new(sink);
    out.lines(|out| {
        write(out, encode(inst), index, previous);
    });
    out.finish();
}

/// Writes an instruction and gives its first register load.
#[inline(always)]
fn write<S: Sink>(out: &mut Cursor<'_, S>, word: u128, index: u32, previous: Register) -> Register {
    let inst = decode(word);
    let first = index.wrapping_mul(4);
    let words = first..first.wrapping_add(4);
    let stores = inst.store.iter().flat_map(|store| store.sources);
    let stored = stores.fold(0, |stored, source| stored | 1 << (source.0 & 7));
    let Inst { reg0, reg1, load, store, .. } = inst;
    let base = index.wrapping_mul(6);
    let mut line = Line { out, reg0, reg1, load, store, previous, words, base, stored, empty: true };
    three_digits(line.out, index);
    line.out.put(PartKind::Punctuation, &COLON);
    line.slot(table::line::<0>(word));
    line.slot(table::line::<1>(word));
    line.slot(table::line::<2>(word));
    line.slot(table::line::<3>(word));
    line.slot(table::line::<4>(word));
    line.slot(table::line::<5>(word));
    if inst.complex_op == ComplexOp::Off && inst.complex != Source::UNUSED {
        // The tool has written its tab before it finds the unit off.
        line.out.put(PartKind::Plain, &TAB);
    }
    line.slot(table::line::<6>(word));
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
    reg0
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
static TAB: Piece = Piece::new("\t");
static TEMPORARY: Piece = Piece::new("/t[addr0].");
static BRANCH: Piece = Piece::new("\tbranch ");
static UNKNOWN_1: Piece = Piece::new("\tunknown_1 ");
static NOP: Piece = Piece::new("\tnop");
/// `mov` of the slots that have no such operation.
static MOVES: [Piece; 4] =
    [lima(&SLOTS[0], "mov"), lima(&SLOTS[1], "mov"), lima(&SLOTS[2], "mov"), lima(&SLOTS[3], "mov")];
static ADDRESSES: [Piece; 4] = Piece::numbered("/addr", "");
static OFFSETS: [Piece; 8] = offsets(1);
/// Stores to registers and to varyings.
static STORED: [[Piece; 16]; 2] = [Piece::numbered("/$", "."), Piece::numbered("/v", ".")];
/// Components of a store: by slot, then by a bit for each of its two.
static MASKS: [[Piece; 4]; 2] = [Piece::all(["", "x", "y", "xy"]), Piece::all(["", "z", "w", "zw"])];

/// One instruction on its way into a sink.
struct Line<'a, 'b, S: Sink> {
    out: &'a mut Cursor<'b, S>,
    reg0: Register,
    reg1: u8,
    load: Load,
    store: [Store; 2],
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

    /// What a slot says. The tool looks at other fields than our own language to find out whether it is on, and whether it is a
    /// `mov`.
    #[inline(always)]
    fn slot(&mut self, line: Option<table::Line>) {
        let Some(line) = line else { return };
        let (slot, operation) = (line.slot, line.operation);
        let unused = |n| line.source(n) == Source::UNUSED;
        if match slot.unit {
            Unit::Complex => unused(0),
            _ => slot.negate.is_some() && (unused(0) || unused(1)),
        } {
            return;
        }
        self.start(if line.neutral {
            &MOVES[line.index & 3]
        } else {
            &SLOT_TEXTS[line.index][line.number].lima
        });
        self.destination(slot.unit);
        if slot.unit == Unit::Complex
            && let n @ 12..=15 = line.number
        {
            self.out.put(PartKind::Register, &ADDRESSES[n - 12]);
        }
        let count = if line.neutral { 1 } else { operation.operands.len() };
        // Of a selection the tool names the condition first, then the result for 0.
        let selects = slot.operands.len() == 4 && count == 3;
        for n in 0..slot.operands.len() {
            if n >= count {
                break;
            }
            let n = if selects && n < 2 { 1 - n } else { n };
            let neutral = slot.neutral_at(n).map(|number| &NEUTRAL[usize::from(number & 1)]);
            self.source(line.source(n), neutral, line.is_negated(n));
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
        for (slot, Store { sources, number, varying, temporary }) in self.store.iter().enumerate() {
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
            SourceKind::Reg0(component) => self.register(self.reg0, component),
            SourceKind::Reg1(component) => {
                self.register(Register { number: self.reg1, attribute: false }, component);
            }
            SourceKind::PreviousReg0(component) => self.register(self.previous, component),
            SourceKind::Unknown(n) => self.out.put(PartKind::Register, &UNKNOWN[usize::from(n & 3)]),
            SourceKind::Load(component) => {
                let load = self.load;
                self.out.put(PartKind::Register, &MEMORY);
                self.out.number(PartKind::Register, load.address.into());
                self.out.put(PartKind::Register, &OFFSETS[usize::from(load.offset & 7)]);
                self.out.component(PartKind::Register, component);
            }
            SourceKind::Result(unit, back) => self.result(unit, back),
            SourceKind::Unused => self.out.put(PartKind::Plain, &UNUSED),
            SourceKind::Identity => match neutral {
                Some(text) => self.out.put(PartKind::Immediate, text),
                None => self.result(Unit::Complex, 1),
            },
        }
    }
}
