//! Instructions in the native text. What a field's bits say beyond that text follows as `@name=value`, with
//! the names of the table, so that the text determines every bit.
//!
//! Each form of a field knows what its text says; the bits that the assembler makes from such a text are
//! compared with the field's own, and every run of bits that differs is written out.

mod arithmetic;
mod memory;
mod operand;
mod pieces;

use super::half;
use super::names::{SCALARS, pick};
use super::symbols::Symbols;
use super::table::{Branch, Constant, Control, Field, Part, Varying};
use super::{Inst, words_needed};
use arithmetic::arithmetic;
pub(super) use arithmetic::value;
use memory::{sampler, store, uniform, varying};
pub(super) use operand::signed;
use operand::{comma, mnemonic, register};
use pieces::{BRANCH_TEXTS, COMMA, CONST0, CONST1, FIRST, FURTHER};
use std::ops::Range;
use unshade_isa_common::text::{PartKind, Short, Sink};

/// Column of the first operand.
const OPERANDS: usize = 16;

/// What an instruction's place in the code tells about it.
#[derive(Debug, Clone, Default)]
pub struct Around<'a> {
    /// Its words in the code.
    pub words: Range<u32>,
    /// Words of the instruction behind this one; 0: none.
    pub next: u32,
    /// Label of the branch's target.
    pub label: Option<&'a str>,
    /// The branch's target as a word index.
    pub target: i64,
    /// Words of the instruction there; 0: none starts there.
    pub target_count: u32,
}

/// Division of an input by one of its components, by [`Varying::sub`].
pub(super) const DIVISIONS: [&str; 4] = ["", ".proj1", ".projz", ".projw"];
/// Mnemonics of branches by their condition.
pub(super) const BRANCHES: [&str; 8] =
    ["br.never", "br.gt", "br.eq", "br.ge", "br.lt", "br.ne", "br.le", "br"];
/// What the place of a special input looks like.
pub(super) const SPECIAL: Varying = Varying(3 << 5 | 15 << 10);

/// Writes an instruction, a line for each field and one for what concerns the whole; ends the last line.
pub fn instruction(sink: &mut impl Sink, inst: &Inst, symbols: &Symbols<'_>, around: &Around<'_>) {
    let mut left = inst.control.fields();
    let mut start = &FIRST;
    if left == 0 {
        sink.words(around.words.clone());
        sink.put_short(PartKind::Plain, start);
        sink.put(PartKind::Mnemonic, "nop");
        start = &FURTHER;
        sink.end_line();
    }
    while left != 0 {
        let number = left.trailing_zeros();
        left &= left - 1;
        sink.words(around.words.clone());
        sink.put_short(PartKind::Punctuation, start);
        start = &FURTHER;
        match Field::ALL[number as usize % Field::ALL.len()] {
            Field::Varying => varying(sink, inst.varying, symbols),
            Field::Sampler => sampler(sink, inst.sampler, symbols),
            Field::Uniform => uniform(sink, inst.uniform, symbols),
            Field::VectorMul => arithmetic::<0>(sink, inst.vector_mul.0),
            Field::FloatMul => arithmetic::<1>(sink, inst.float_mul.0),
            Field::VectorAdd => arithmetic::<2>(sink, inst.vector_add.0),
            Field::FloatAdd => arithmetic::<3>(sink, inst.float_add.0),
            Field::Combine => match inst.combine & 3 {
                0 => arithmetic::<4>(sink, inst.combine),
                1 => arithmetic::<5>(sink, inst.combine),
                2 => arithmetic::<6>(sink, inst.combine),
                _ => arithmetic::<7>(sink, inst.combine),
            },
            Field::Store => store(sink, inst.store),
            Field::Branch => branch(sink, inst.branch, around),
            Field::Const0 => constant(sink, &CONST0, inst.constants[0]),
            Field::Const1 => constant(sink, &CONST1, inst.constants[1]),
        }
        sink.end_line();
    }
    whole(sink, inst, around);
}

/// `sync`, `stop`, and whatever of the control word is not as the assembler makes it.
fn whole(sink: &mut impl Sink, inst: &Inst, around: &Around<'_>) {
    let control = inst.control;
    let said = usual_control(inst, around.next);
    let needs_sync = inst.needs_sync();
    let sync = control.sync() != 0;
    if !sync && !needs_sync && control.stop() == 0 && control == said && inst.tail.is_empty() {
        return;
    }
    sink.words(around.words.clone());
    let mut start = &FURTHER;
    let mut word = |sink: &mut _, text: &str| {
        Sink::put_short(sink, PartKind::Punctuation, start);
        Sink::put(sink, PartKind::Directive, text);
        start = &COMMA;
    };
    if sync {
        word(sink, "sync");
    } else if needs_sync {
        word(sink, "nosync");
    }
    if control.stop() != 0 {
        word(sink, "stop");
    }
    if control != said || !inst.tail.is_empty() {
        word(sink, "control");
        rest(sink, Control::PARTS, control.0.into(), said.0.into());
        for (n, bits) in inst.tail.iter().enumerate() {
            sink.put(PartKind::Directive, if n == 0 { " @tail=" } else { ":" });
            sink.hex(PartKind::Directive, *bits, 1);
        }
    }
    sink.end_line();
}

/// The control word that the assembler makes, with the fields and flags of this instruction.
pub(super) fn usual_control(inst: &Inst, next: u32) -> Control {
    let control = inst.control;
    control
        .with_count(words_needed(control.fields()))
        .with_next(next)
        .with_prefetch(u32::from(next != 0))
        .with_reserved(0)
}

fn branch(sink: &mut impl Sink, field: Branch, around: &Around<'_>) {
    if field.is_discard() {
        return sink.put(PartKind::Mnemonic, "discard");
    }
    mnemonic(sink, pick(&BRANCH_TEXTS, field.condition()));
    let mut said = field.with_reserved_0(0).with_reserved_19(0).with_target_count(around.target_count);
    if field.condition() == 7 {
        said = said.with_arg0(0).with_arg1(0);
    } else {
        register(sink, pick(&SCALARS, field.arg0()));
        comma(sink);
        register(sink, pick(&SCALARS, field.arg1()));
        comma(sink);
    }
    match around.label {
        Some(label) => sink.put(PartKind::Label, label),
        None => {
            if around.target < 0 {
                sink.put(PartKind::Immediate, "-");
            }
            sink.decimal(PartKind::Immediate, around.target.unsigned_abs() as u32);
        }
    }
    rest(sink, Branch::PARTS, field.0, said.0);
}

fn constant(sink: &mut impl Sink, name: &'static Short<'static>, constant: Constant) {
    mnemonic(sink, name);
    for (n, half) in constant.halves().into_iter().enumerate() {
        if n > 0 {
            comma(sink);
        }
        sink.ascii(PartKind::Immediate, half::shortest(half).bytes());
    }
}

/// Every run of bits that is not as the text says.
#[inline]
fn rest(sink: &mut impl Sink, parts: &[Part], raw: u128, said: u128) {
    if raw != said {
        different(sink, parts, raw, said);
    }
}

#[cold]
fn different(sink: &mut impl Sink, parts: &[Part], raw: u128, said: u128) {
    let mut left = raw ^ said;
    for part in parts {
        // They follow each other without a gap.
        if left.trailing_zeros() >= part.low + part.width {
            continue;
        }
        left &= !part.mask();
        sink.put(PartKind::Directive, " @");
        sink.put(PartKind::Directive, part.name);
        sink.put(PartKind::Directive, "=");
        sink.hex(PartKind::Directive, part.get(raw), 1);
    }
}
