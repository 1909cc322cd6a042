//! Instruction to text in our own language, which determines every bit of the instruction word.
//!
//! One line for each unit that is on; lines of one instruction are joined by `||`. A line is the unit, its
//! operation, what it reads, and behind `->` where the result is stored. Results of other units are
//! `^mul0` (one instruction ago) and `^^mul0` (two), a register that the instruction before has loaded is
//! `^$3.x`. Fields that no line says and that are not as usual follow in a line `fields`.

mod operand;
pub(super) mod pieces;
mod stores;
mod units;

use super::inst::{Inst, Register, Source, SourceKind};
use super::names::Names;
use super::out::{Out, Piece};
use super::table::{
    BESIDE_BRANCH, BESIDE_TEMPORARY, EMPTY, FIELD_OF_BIT, FIELDS, Field, Unit, any_source, field, lines,
};
use pieces::{BRANCH, COMMA, NOP, OTHER_FIELDS, RESULTS};
use unshade_isa_common::text::{PartKind, Sink};

/// What the lines of an instruction need to know besides the instruction.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// Names of places.
    pub names: &'a Names,
    /// First register load of the instruction before; `None` for the first instruction.
    pub previous: Option<Register>,
    /// The instruction that follows reads the first register load of this one.
    pub shared: bool,
    /// The 32-bit words that the instruction is made of.
    pub first_word: u32,
}

/// Writes one instruction with its line ends. `label` is the name of the place that its branch goes to;
/// `remark` writes what stands behind the first line.
pub(super) fn instruction<S: Sink>(
    out: &mut Out<'_, S>,
    inst: &Inst,
    word: u128,
    context: Context<'_>,
    label: Option<&str>,
    remark: impl Fn(&mut Out<'_, S>),
) {
    let mut printer = Printer {
        out,
        inst,
        word,
        context,
        said: 0,
        remark,
        remarked: false,
        tagged: !allocates_alike(inst, word),
        first: true,
        stored: 0,
    };
    printer.units();
    printer.stores();
    if inst.branch {
        printer.start(&BRANCH);
        printer.put(PartKind::Register, &RESULTS[0][Unit::Pass as usize]);
        printer.put(PartKind::Punctuation, &COMMA);
        match label {
            Some(name) => printer.out.text(PartKind::Label, name),
            None => printer.out.number(PartKind::Immediate, inst.target.into()),
        }
        printer.say(&[field::BRANCH, field::BRANCH_LOW, field::BRANCH_TARGET]);
        printer.end();
    }
    printer.rest();
    if printer.first {
        printer.start(&NOP);
        printer.end();
    }
}

/// What compilers write into [`field::UNKNOWN_1`] beside such an instruction.
pub(super) fn usual_unknown(branch: bool, stores_temporary: bool) -> u8 {
    match (branch, stores_temporary) {
        (true, _) => BESIDE_BRANCH,
        (false, true) => BESIDE_TEMPORARY,
        (false, false) => 0,
    }
}

/// Whether an assembler that takes the second register load for the first register that it meets, and the
/// first load for another one, comes to the loads of this instruction.
fn allocates_alike(inst: &Inst, word: u128) -> bool {
    // Without a source of the first load all registers come through the second one.
    if inst.reg0.attribute || !any_source(word, 0) {
        return true;
    }
    let mut uses = sources(word).filter_map(|source| match source.kind() {
        SourceKind::Reg0(_) => Some((0, inst.reg0.number & 15)),
        SourceKind::Reg1(_) => Some((1, inst.reg1 & 15)),
        _ => None,
    });
    let Some((load, first)) = uses.next() else { return true };
    load == 1 && uses.all(|(load, number)| (load == 1) == (number == first))
}

/// What the lines of an instruction name, in their order.
pub(super) fn sources(word: u128) -> impl Iterator<Item = Source> {
    lines(word).flat_map(|line| line.operands().iter().map(move |&operand| line.source(operand)))
}

struct Printer<'a, 'b, S: Sink, R> {
    out: &'a mut Out<'b, S>,
    inst: &'a Inst,
    word: u128,
    context: Context<'a>,
    /// Bits that the lines so far determine.
    said: u128,
    remark: R,
    /// What stands behind the first line is written.
    remarked: bool,
    /// Registers name the load that they come through.
    tagged: bool,
    /// No line has been started.
    first: bool,
    /// Units whose stores have been written, bit by [`StoreSource`] number.
    stored: u8,
}

impl<S: Sink, R: Fn(&mut Out<'_, S>)> Printer<'_, '_, S, R> {
    #[inline(always)]
    fn put(&mut self, kind: PartKind, text: &Piece) {
        self.out.put(kind, text);
    }

    #[inline(always)]
    fn say(&mut self, fields: &[Field]) {
        for field in fields {
            self.said |= field.mask();
        }
    }

    #[inline]
    fn start(&mut self, unit: &[Piece; 2]) {
        let later = !std::mem::replace(&mut self.first, false);
        self.out.put_two(PartKind::Punctuation, 4, PartKind::Directive, &unit[usize::from(later)]);
    }

    #[inline]
    fn end(&mut self) {
        if !std::mem::replace(&mut self.remarked, true) {
            (self.remark)(self.out);
        }
        let first = self.context.first_word;
        self.out.words(first..first.wrapping_add(4));
        self.out.end_line();
    }

    /// The fields that the lines so far do not determine and that are not as usual.
    fn rest(&mut self) {
        if self.context.shared {
            self.say(&[field::REG0_ADDRESS, field::REG0_ATTRIBUTE]);
        }
        let usual = usual_unknown(self.inst.branch, self.inst.stores_temporary());
        let expected = field::UNKNOWN_1.set(EMPTY, usual.into());
        let mut different = (self.word ^ expected) & !self.said;
        if different == 0 {
            return;
        }
        self.start(&OTHER_FIELDS);
        loop {
            let field = FIELDS[usize::from(FIELD_OF_BIT[different.trailing_zeros() as usize % 128])];
            different &= !field.mask();
            self.out.text(PartKind::Directive, field.name);
            self.out.text(PartKind::Punctuation, "=");
            self.out.number(PartKind::Immediate, field.get(self.word));
            if different == 0 {
                break;
            }
            self.put(PartKind::Punctuation, &COMMA);
        }
        self.end();
    }
}
