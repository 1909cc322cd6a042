//! Groups of arithmetic instructions.

use super::{number, rest};
use crate::decode::{Group, Program, Unit};
use crate::fields::{CfAlu, Op2};
use crate::inst::{Alu, Operand, Source};
use crate::layout::Layout;
use crate::names::{
    COMPONENTS, CONSTANTS, FACTORS, FURTHER, HEADS, INDICES, OPERATIONS, OTHER_SOURCES, PREVIOUS, REGISTERS,
    SOURCES, UNITS, pick, word,
};
use crate::ports;
use crate::table::facts;
use crate::table::form::{CLAMP, PREDICATES, bits};
use crate::table::suffix::Text;
use unshade_isa_common::text::{PartKind, Short, Sink};

static COMMA: Short<'static> = Short::new(", ");
static NOTHING: Short<'static> = Short::new("____");

/// What a group's place in the program tells about it.
#[derive(Debug, Clone, Copy)]
pub struct GroupText {
    /// Its number.
    pub number: u32,
    /// Blanks in front of its lines.
    pub indent: usize,
    /// It is the first of its clause.
    pub first: bool,
    /// What the second source of an instruction with one source holds in this program.
    pub unused: u32,
}

const SRC0: u64 = bits!(Op2: src0_sel src0_rel src0_chan src0_neg) as u64;
const SRC1: u64 = bits!(Op2: src1_sel src1_rel src1_chan src1_neg) as u64;
const INDEX_MODE: u64 = bits!(Op2: index_mode) as u64;
const SRC0_ABS: u64 = bits!(Op2: src0_abs) as u64;
const SRC1_ABS: u64 = bits!(Op2: src1_abs) as u64;
const DST_GPR_AND_REL: u64 = bits!(Op2: dst_gpr dst_rel) as u64;
const DST_CHAN: u64 = bits!(Op2: dst_chan) as u64;
const BANK_SWIZZLE: u64 = bits!(Op2: bank_swizzle) as u64;
/// What stands behind the operands of any instruction.
const BEHIND: u64 = bits!(Op2: pred_sel clamp) as u64;
const UPDATES: u64 = bits!(Op2: update_execute_mask update_pred) as u64;
const RELATIVE: u64 = bits!(Op2: src0_rel src1_rel) as u64;

/// Whether words stand behind an instruction, of those that [`CLAMP`] and the lists beside it have.
#[inline]
pub(crate) fn has_words(inst: Alu) -> bool {
    inst.0 & BEHIND != 0 || inst.0 & UPDATES != 0 && !inst.is_op3()
}

/// Writes a group, a line for each instruction; `line` ends each and gets the code words that it shows, counted
/// from the first of the group. One that the machine cannot run comes as words.
pub fn group<S: Sink>(
    sink: &mut S,
    group: &Group,
    bits: impl Fn(u32) -> u64,
    text: GroupText,
    mut line: impl FnMut(&mut S, std::ops::Range<u32>),
) {
    if group.fault.is_some() {
        for unit in 0..group.size() {
            indent(sink, text.indent);
            sink.put(PartKind::Plain, "    ");
            raw(sink, bits(unit));
            line(sink, 2 * unit..2 * unit + 2);
        }
        return;
    }
    let literals = Literals::of(group);
    let legal = ports::check(group.insts()).is_ok();
    let count = group.insts().len() as u32;
    let mut at = 0;
    for (unit, inst) in group.insts() {
        if text.indent > 0 {
            indent(sink, text.indent);
        }
        if at == 0 {
            head(sink, text.number);
            sink.put_short(PartKind::Label, pick(&UNITS, unit as u32));
        } else {
            sink.put_short(PartKind::Label, &FURTHER[unit as usize % FURTHER.len()]);
        }
        let around = Around { text, unit, literals: &literals, legal };
        instruction(sink, inst, &around);
        at += 1;
        let end = if at == count { group.size() } else { at };
        if at == count && literals.unused {
            literals.rest(sink);
        }
        line(sink, 2 * (at - 1)..2 * end);
    }
}

/// What the second source of the program's first instruction with one source holds: 0 in most programs, the
/// constant 0 in those of Nintendo's compiler.
pub(crate) fn unused_source(program: &Program<'_>, layout: &Layout) -> u32 {
    let clauses = layout.clauses.iter().filter(|clause| !clause.fetches);
    let groups =
        clauses.filter_map(|clause| program.cf(clause.cf)).flat_map(|cf| program.groups(CfAlu(cf.0)));
    for group in groups.filter(|group| group.fault.is_none()) {
        let one = group.insts().find(|(_, inst)| !inst.is_op3() && sources(*inst) == 1);
        if let Some((_, inst)) = one {
            return inst.op2().src1_sel();
        }
    }
    0
}

/// The number of a group or a fetch, with its blanks.
#[inline]
pub(super) fn head(sink: &mut impl Sink, number: u32) {
    if let Some(head) = HEADS.get(number as usize) {
        return sink.put_short(PartKind::Label, head);
    }
    sink.put(PartKind::Plain, "  ");
    sink.decimal(PartKind::Label, number);
}

/// Blanks in front of a line.
pub(super) fn indent(sink: &mut impl Sink, count: usize) {
    const BLANKS: &str = "                                                                ";
    sink.put(PartKind::Plain, BLANKS.get(..count).unwrap_or(BLANKS));
}

/// A unit as two words.
pub(super) fn raw(sink: &mut impl Sink, bits: u64) {
    sink.put(PartKind::Directive, ".word ");
    sink.hex(PartKind::Immediate, bits as u32, 8);
    sink.put(PartKind::Punctuation, ", ");
    sink.hex(PartKind::Immediate, (bits >> 32) as u32, 8);
}

/// The literals of a group.
struct Literals {
    values: [u32; 4],
    /// Words that are there.
    count: u8,
    /// The first is the literal of the first source that reads one, and so on.
    in_order: bool,
    /// A word that no source shows is not zero.
    unused: bool,
    /// Words that a source shows, a bit each.
    shown: u8,
}

impl Literals {
    #[inline]
    fn of(group: &Group) -> Self {
        let mut all = Self {
            values: group.literals,
            count: 2 * group.literal_units,
            in_order: true,
            unused: false,
            shown: 0,
        };
        if all.count == 0 {
            return all;
        }
        let mut next = 0;
        for (_, inst) in group.insts() {
            for index in 0..sources(inst) {
                let operand = inst.operand(index);
                if operand.source == Source::Literal {
                    all.in_order &= operand.channel == next;
                    all.shown |= 1 << (operand.channel & 3);
                    next += 1;
                }
            }
        }
        for (index, value) in all.values.iter().enumerate() {
            all.unused |= *value != 0 && all.shown >> index & 1 == 0;
        }
        all
    }

    /// Words that no source shows.
    #[cold]
    fn rest(&self, sink: &mut impl Sink) {
        const NAMES: [&str; 4] = [" @literal_x=", " @literal_y=", " @literal_z=", " @literal_w="];
        for (index, (value, name)) in self.values.into_iter().zip(NAMES).enumerate() {
            if value != 0 && self.shown >> index & 1 == 0 {
                sink.put(PartKind::Directive, name);
                sink.hex(PartKind::Immediate, value, 8);
            }
        }
    }
}

/// Sources that the text shows.
#[inline]
fn sources(inst: Alu) -> usize {
    facts(inst.number()).sources.into()
}

struct Around<'a> {
    text: GroupText,
    unit: Unit,
    literals: &'a Literals,
    /// The bank swizzles of the group are such that zeros need not be said.
    legal: bool,
}

#[inline]
fn instruction(sink: &mut impl Sink, inst: Alu, around: &Around<'_>) {
    let number = inst.number();
    let count = sources(inst);
    let writes = inst.writes();
    let name = OPERATIONS.get(number as usize).filter(|name| !name.text().is_empty());
    match name {
        Some(name) if inst.omod() == 0 => sink.put_short(PartKind::Mnemonic, name),
        _ => operation(sink, inst, name),
    }
    let bits = inst.0;
    let mut hidden = 0;
    let mut relative = bits & RELATIVE;
    if writes {
        let place = (inst.dst_gpr() << 2 | inst.dst_chan()) & 511;
        let two = inst.op2();
        if two.dst_rel() == 0 {
            sink.put_short(PartKind::Register, pick(&REGISTERS, place));
        } else {
            relative = 1;
            indexed(sink, pick(&REGISTERS, place).text(), two.index_mode(), two.dst_chan());
        }
    } else {
        sink.put_short(PartKind::Register, &NOTHING);
        hidden |= DST_GPR_AND_REL;
        if around.unit == Unit::T {
            hidden |= DST_CHAN;
        }
    }
    if inst.is_op3() {
        relative |= bits >> 41 & 1;
        plain(sink, inst, 0, bits as u32, around);
        plain(sink, inst, 1, (bits >> 13) as u32, around);
        plain(sink, inst, 2, (bits >> 32) as u32, around);
    } else {
        if count > 0 {
            source(sink, inst, 0, bits as u32 & 0x1FFF, bits & SRC0_ABS != 0, around);
        } else {
            hidden |= SRC0 | SRC0_ABS;
            relative &= !(1 << 9);
        }
        if count > 1 {
            source(sink, inst, 1, (bits >> 13) as u32 & 0x1FFF, bits & SRC1_ABS != 0, around);
        } else {
            hidden |= SRC1 | SRC1_ABS;
            relative &= !(1 << 22);
        }
    }
    if relative == 0 {
        hidden |= INDEX_MODE;
    }
    if has_words(inst) {
        behind(sink, inst);
    }
    if bits & BANK_SWIZZLE != 0 || !around.legal {
        swizzle(sink, inst, around.unit);
    }
    let usual = if count == 1 { u64::from(around.text.unused) << 13 } else { 0 };
    if bits & hidden != usual {
        rest(sink, inst.parts(), bits.into(), (bits & !hidden | usual).into());
    }
}

/// A source without absolute value.
#[inline]
fn plain(sink: &mut impl Sink, inst: Alu, index: usize, bits: u32, around: &Around<'_>) {
    source(sink, inst, index, bits & 0x1FFF, false, around);
}

/// A source by its 13 bits: selector, index, component, sign.
#[inline]
fn source<S: Sink>(sink: &mut S, inst: Alu, index: usize, bits: u32, absolute: bool, around: &Around<'_>) {
    let sel = bits & 511;
    let named = !(192..256).contains(&sel);
    if bits & 0x1200 == 0 && !absolute {
        let channel = bits >> 10;
        if named {
            let name = pick(&SOURCES, sel << 2 | channel);
            if S::TYPED {
                sink.put(PartKind::Punctuation, ", ");
                return sink.put(PartKind::Register, name.text().get(2..).unwrap_or_default());
            }
            return sink.put_short(PartKind::Register, name);
        }
        if sel == 254
            && !S::TYPED
            && !around.text.first
            && let Some(previous) = PREVIOUS.get(around.text.number.wrapping_sub(1) as usize)
        {
            sink.put_short(PartKind::Register, previous);
            return sink.put_short(PartKind::Register, pick(&COMPONENTS, channel));
        }
    }
    any_source(sink, inst, index, around);
}

/// A source of any kind.
fn any_source(sink: &mut impl Sink, inst: Alu, index: usize, around: &Around<'_>) {
    sink.put_short(PartKind::Punctuation, &COMMA);
    let (number, literals) = (around.text.number.wrapping_sub(1), around.literals);
    let read = Read {
        previous: if around.text.first { None } else { Some(number) },
        literals: &literals.values,
        in_order: literals.in_order,
        index: word(&INDICES, inst.op2().index_mode()),
    };
    operand(sink, inst.operand(index), &read, Text::Native);
}

/// What the sources of an instruction read.
pub(crate) struct Read<'a> {
    /// The number of the group in front.
    pub(crate) previous: Option<u32>,
    /// The literals of the group.
    pub(crate) literals: &'a [u32; 4],
    /// Each source reads the next of them.
    pub(crate) in_order: bool,
    /// The index of what has one.
    pub(crate) index: &'static str,
}

/// Writes a source with its signs, its index and its component.
pub(crate) fn operand(sink: &mut impl Sink, operand: Operand, read: &Read<'_>, text: Text) {
    let sel = operand.source.sel();
    if operand.negate {
        sink.put(PartKind::Punctuation, "-");
    }
    if operand.absolute {
        sink.put(PartKind::Punctuation, "|");
    }
    let is_native = text == Text::Native;
    // Minus one has a selector of its own.
    let ambiguous = is_native && operand.negate && !operand.absolute && operand.source == Source::IntOne;
    let mut channel = is_native && operand.channel != 0;
    match operand.source {
        Source::Gpr(_) | Source::Kcache(..) | Source::Constant(_) => {
            let name = pick(&SOURCES, sel << 2).text();
            let name = name.get(2..name.len().saturating_sub(2)).unwrap_or_default();
            sink.put(PartKind::Register, name);
            channel = true;
        }
        _ if ambiguous => sink.put(PartKind::Immediate, "(1)"),
        Source::Zero | Source::One | Source::IntOne | Source::IntMinusOne | Source::Half => {
            sink.put_short(PartKind::Immediate, &CONSTANTS[sel.wrapping_sub(248) as usize % CONSTANTS.len()]);
        }
        Source::Literal => {
            let value = read.literals[usize::from(operand.channel & 3)];
            sink.put(PartKind::Punctuation, "(");
            sink.hex(PartKind::Immediate, value, 8);
            sink.put(PartKind::Punctuation, ", ");
            number::float(sink, value);
            sink.put(PartKind::Punctuation, ")");
            channel = !read.in_order;
        }
        Source::PreviousVector | Source::PreviousScalar => {
            let vector = operand.source == Source::PreviousVector;
            sink.put(PartKind::Register, if vector { "PV" } else { "PS" });
            match read.previous {
                Some(previous) => sink.decimal(PartKind::Register, previous),
                None if is_native => {}
                // decaf counts in 64 bits without a sign.
                None => sink.put(PartKind::Register, "18446744073709551615"),
            }
            channel |= vector;
        }
        Source::Other(sel) if is_native => {
            sink.put(PartKind::Register, "SRC(");
            sink.decimal(PartKind::Register, sel.into());
            sink.put(PartKind::Register, ")");
        }
        Source::Other(_) => {
            let name = OTHER_SOURCES.iter().find(|(_, other)| *other == sel).map(|(name, _)| *name);
            sink.put(PartKind::Register, name.unwrap_or("UNKNOWN"));
        }
    }
    if operand.relative {
        sink.put(PartKind::Register, read.index);
    }
    if channel {
        sink.put_short(PartKind::Register, pick(&COMPONENTS, operand.channel.into()));
    }
    if operand.absolute {
        sink.put(PartKind::Punctuation, "|");
    }
}

/// A destination with an index.
#[cold]
fn indexed(sink: &mut impl Sink, name: &str, mode: u32, channel: u32) {
    sink.put(PartKind::Register, name.get(..name.len().saturating_sub(2)).unwrap_or_default());
    sink.put(PartKind::Register, word(&INDICES, mode));
    sink.put_short(PartKind::Register, pick(&COMPONENTS, channel));
}

/// An operation with a factor, or one that nobody knows.
#[cold]
fn operation(sink: &mut impl Sink, inst: Alu, name: Option<&Short<'static>>) {
    let start = sink.column();
    match name {
        Some(name) => sink.put(PartKind::Mnemonic, name.text().trim_end()),
        None => {
            sink.put(PartKind::Mnemonic, if inst.is_op3() { "OP3_" } else { "OP2_" });
            sink.decimal(PartKind::Mnemonic, inst.number() & 0xFF);
        }
    }
    sink.put(PartKind::Mnemonic, word(&FACTORS, inst.omod()));
    sink.pad_to(start + 16);
}

/// Clamping, predicates.
#[cold]
fn behind(sink: &mut impl Sink, inst: Alu) {
    let bits = inst.0.into();
    for row in [&CLAMP].into_iter().chain(&PREDICATES).chain(inst.updates()) {
        if row.is_shown(bits, Text::Native) {
            sink.put(PartKind::Name, " ");
            sink.put(PartKind::Name, row.name);
        }
    }
    if inst.op2().pred_sel() == 1 {
        sink.put(PartKind::Directive, " @pred_sel=1");
    }
}

/// A bank swizzle by its name, or by its number where it has none.
#[cold]
fn swizzle(sink: &mut impl Sink, inst: Alu, unit: Unit) {
    let number = inst.op2().bank_swizzle() as usize;
    let names: &[&str] = if unit == Unit::T { &ports::TRANS_NAMES } else { &ports::VECTOR_NAMES };
    match names.get(number) {
        Some(name) => {
            sink.put(PartKind::Plain, " ");
            sink.put(PartKind::Name, name);
        }
        None => {
            sink.put(PartKind::Directive, " @bank_swizzle=");
            sink.decimal(PartKind::Immediate, number as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::form::UPDATES as WORDS;
    use crate::table::suffix::Suffix;

    /// No word is left out because the printers do not look for it.
    #[test]
    fn masks_have_every_word() {
        let bits = |row: &Suffix| row.is.map_or(0, |(field, _)| field.mask());
        assert_eq!(PREDICATES.iter().fold(bits(&CLAMP), |all, row| all | bits(row)), BEHIND.into());
        assert_eq!(WORDS.iter().fold(0, |all, row| all | bits(row)), UPDATES.into());
    }
}
