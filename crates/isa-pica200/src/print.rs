//! Instruction to text, in picasso's language, with the operand descriptor applied.
//!
//! What that language cannot say follows in suffixes of our own, so that the text determines every bit:
//! `@5` names the descriptor where it is not the first of the table that fits, `@unused=`, `@num=`, `@dst=`
//! and `@cond=` pin fields without known effect. `docs/listing.md` describes them all.

use super::{
    Compare, Condition, Dest, Index, Inst, Opcode, Operands, Reg,
    names::{Names, mask_text, swizzle_text},
    table::TABLE,
    view::{Shape, View, Views},
};
use unshade_isa_common::text::{PartKind, Short, Sink};

/// Column of the operands behind the mnemonic, counted from the mnemonic.
const OPERANDS: usize = 8;

/// How the block of an IF or LOOP is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The lines that follow show its extent, up to `.end`.
    Block,
    /// The instruction names its bounds itself.
    Bounds,
}

/// Names of places in the code, by word index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    labels: Vec<Option<Box<str>>>,
    /// Start, length in words, name; sorted.
    procedures: Vec<(u32, u32, Box<str>)>,
}

impl Places {
    /// Names the word `at`; the first name of a place stays.
    pub fn label(&mut self, at: u32, name: &str) {
        let at = at as usize;
        if self.labels.len() <= at {
            self.labels.resize(at + 1, None);
        }
        if let Some(place @ None) = self.labels.get_mut(at) {
            *place = Some(name.into());
        }
    }

    /// Sets the procedures: start, length in words, name.
    pub fn set_procedures(&mut self, mut procedures: Vec<(u32, u32, Box<str>)>) {
        procedures.sort();
        self.procedures = procedures;
    }

    /// Name of the word `at`.
    #[inline]
    pub fn label_at(&self, at: u32) -> Option<&str> {
        self.labels.get(at as usize)?.as_deref()
    }

    /// Name of exactly these words.
    pub fn procedure_at(&self, start: u32, length: u32) -> Option<&str> {
        let found = self.procedures.binary_search_by_key(&(start, length), |p| (p.0, p.1)).ok()?;
        self.procedures.get(found).map(|p| &*p.2)
    }

    /// Writes a place: its name, or its number where it has none.
    pub fn put(&self, sink: &mut impl Sink, at: u32) {
        match self.label_at(at) {
            Some(name) => sink.put(PartKind::Label, name),
            None => sink.hex(PartKind::Immediate, at, 3),
        }
    }

    /// Writes the words from `from` up to `to`: the name of a procedure, or both bounds.
    pub fn put_run(&self, sink: &mut impl Sink, from: u32, to: u32) {
        match to.checked_sub(from).and_then(|length| self.procedure_at(from, length)) {
            Some(name) => sink.put(PartKind::Label, name),
            None => {
                self.put(sink, from);
                sink.put(PartKind::Punctuation, "..");
                self.put(sink, to);
            }
        }
    }
}

/// Prints instructions that share a descriptor table.
#[derive(Debug, Clone)]
pub struct Printer<'a> {
    views: Views<'a>,
}

impl<'a> Printer<'a> {
    /// A printer for code that uses these descriptors (low words).
    pub fn new(descriptors: &'a [u32]) -> Self {
        Self { views: Views::new(descriptors) }
    }

    /// Writes one instruction, without line break.
    #[inline]
    pub fn instruction(
        &mut self,
        sink: &mut impl Sink,
        inst: Inst,
        names: &Names,
        places: &Places,
        form: Form,
    ) {
        let (opcode, operands) = match inst {
            Inst::Known { opcode, operands } => (opcode, operands),
            Inst::Unknown(word) => {
                sink.put(PartKind::Directive, ".word");
                sink.put(PartKind::Plain, "   ");
                return sink.hex(PartKind::Immediate, word, 8);
            }
        };
        let name = &MNEMONICS[mnemonic(opcode, &operands) as usize];
        sink.put_short(PartKind::Mnemonic, name);
        if !matches!(operands, Operands::Bare { .. }) {
            sink.put_short(PartKind::Plain, &GAPS[name.text().len() & 7]);
        }
        match operands {
            Operands::Bare { unused } => field(sink, "@unused=", unused, 0),
            Operands::One { desc, dst, src1, index, unused } => {
                let Some(shape) = Shape::of(opcode) else { return };
                let view = self.views.get(shape, desc);
                if opcode == Opcode::Mova {
                    sink.put(PartKind::Register, "a0");
                    if let Some(view) = view {
                        sink.put_short(PartKind::Register, mask_text(view.mask));
                    }
                } else {
                    destination(sink, names, dst, view);
                }
                source(sink, names, src1, index, view, 0);
                descriptor(sink, desc, view);
                if opcode == Opcode::Mova {
                    field(sink, "@dst=", dst.0.into(), 0);
                }
                field(sink, "@unused=", unused.into(), 0);
            }
            Operands::Two { desc, dst, src1, src2, index } => {
                let Some(shape) = Shape::of(opcode) else { return };
                let view = self.views.get(shape, desc);
                let second = matches!(opcode.format(), super::Format::TwoInverted);
                let (first, second) = if second { (Index::None, index) } else { (index, Index::None) };
                destination(sink, names, dst, view);
                source(sink, names, src1, first, view, 0);
                source(sink, names, src2, second, view, 1);
                descriptor(sink, desc, view);
            }
            Operands::Mad { desc, dst, src1, src2, src3, index } => {
                let view = self.views.get(Shape::Lanes3, desc);
                let third = matches!(opcode.format(), super::Format::MadInverted);
                let (second, third) = if third { (Index::None, index) } else { (index, Index::None) };
                destination(sink, names, dst, view);
                source(sink, names, src1, Index::None, view, 0);
                source(sink, names, src2, second, view, 1);
                source(sink, names, src3, third, view, 2);
                descriptor(sink, desc, view);
            }
            Operands::Compare { desc, src1, src2, index, x, y } => {
                let view = self.views.get(Shape::Compare, desc);
                operand(sink, names, src1, index, view, 0, 0);
                for compare in [x, y] {
                    sink.put(PartKind::Punctuation, ", ");
                    sink.put(PartKind::Mnemonic, compare_text(compare));
                }
                source(sink, names, src2, Index::None, view, 1);
                descriptor(sink, desc, view);
            }
            Operands::SetEmit { vertex, primitive, invert, unused } => {
                sink.decimal(PartKind::Immediate, vertex.into());
                if primitive || invert {
                    sink.put(PartKind::Punctuation, ", ");
                    sink.put(
                        PartKind::Directive,
                        match (primitive, invert) {
                            (true, true) => "prim inv",
                            (true, false) => "prim",
                            _ => "inv",
                        },
                    );
                }
                field(sink, "@unused=", unused, 0);
            }
            Operands::FlowCondition { num, unused, dst, condition } => {
                flow(sink, places, form, opcode, num, unused, dst, Test::Condition(condition), names);
            }
            Operands::FlowUniform { num, unused, dst, uniform } => {
                flow(sink, places, form, opcode, num, unused, dst, Test::Uniform(uniform), names);
            }
        }
    }
}

/// The mnemonics by opcode; the language calls LOOP `for`.
static MNEMONICS: [Short<'static>; TABLE.len()] = {
    let mut names = [Short::new(""); TABLE.len()];
    let mut at = 0;
    while at < TABLE.len() {
        names[at] = Short::new(match TABLE[at].opcode {
            Opcode::Loop => "for",
            _ => TABLE[at].name,
        });
        at += 1;
    }
    names
};

/// What stands between a mnemonic of that many letters and its operands.
static GAPS: [Short<'static>; OPERANDS] =
    Short::all(["        ", "       ", "      ", "     ", "    ", "   ", "  ", " "]);

/// The operation whose name is written. Both encodings of an operation have one name where the operands
/// show which is meant; otherwise the inverted one has its own, and the assembler takes that as an order.
#[inline]
fn mnemonic(opcode: Opcode, operands: &Operands) -> Opcode {
    let wide = |register: Reg| register.0 & 0x7F >= 0x20;
    let evident = match *operands {
        Operands::Two { src2: last, index, .. } | Operands::Mad { src3: last, index, .. } => {
            wide(last) || index != Index::None
        }
        _ => false,
    };
    match opcode {
        Opcode::Dphi if evident => Opcode::Dph,
        Opcode::Dsti if evident => Opcode::Dst,
        Opcode::Sgei if evident => Opcode::Sge,
        Opcode::Slti if evident => Opcode::Slt,
        Opcode::Madi if evident => Opcode::Mad,
        _ => opcode,
    }
}

#[inline]
fn destination(sink: &mut impl Sink, names: &Names, dst: Dest, view: Option<View>) {
    names.destination(dst).put(sink);
    if let Some(view) = view {
        sink.put_short(PartKind::Register, mask_text(view.mask));
    }
}

/// Commas and signs in front of an operand.
static SEPARATORS: [Short<'static>; 4] = Short::all(["", "-", ", ", ", -"]);

#[inline]
fn source(sink: &mut impl Sink, names: &Names, reg: Reg, index: Index, view: Option<View>, n: usize) {
    operand(sink, names, reg, index, view, n, 2);
}

#[inline]
fn operand(
    sink: &mut impl Sink,
    names: &Names,
    reg: Reg,
    index: Index,
    view: Option<View>,
    n: usize,
    separator: usize,
) {
    let negate = view.is_some_and(|view| view.negate[n]);
    sink.put_short(PartKind::Punctuation, &SEPARATORS[separator & 2 | usize::from(negate)]);
    let name = names.source(reg);
    match index {
        Index::None => name.put(sink),
        Index::A0X => name.put_indexed(sink, "a0.x"),
        Index::A0Y => name.put_indexed(sink, "a0.y"),
        Index::AL => name.put_indexed(sink, "lcnt"),
    }
    if let Some(view) = view {
        sink.put_short(PartKind::Register, swizzle_text(view.swizzle[n]));
    }
}

/// `@n` where the operands alone would lead the assembler to another descriptor.
#[inline]
fn descriptor(sink: &mut impl Sink, desc: u8, view: Option<View>) {
    if view.is_none_or(|view| view.first != desc) {
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Directive, "@");
        sink.decimal(PartKind::Directive, desc.into());
    }
}

/// A field that has no place in the language, if it is not what the assembler would write.
#[inline]
fn field(sink: &mut impl Sink, name: &str, value: u32, usual: u32) {
    if value != usual {
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Directive, name);
        sink.hex(PartKind::Directive, value, 1);
    }
}

/// Name of a comparison. The two that are always true have no name elsewhere.
pub(crate) fn compare_text(compare: Compare) -> &'static str {
    match compare {
        Compare::Eq => "eq",
        Compare::Ne => "ne",
        Compare::Lt => "lt",
        Compare::Le => "le",
        Compare::Gt => "gt",
        Compare::Ge => "ge",
        Compare::True6 => "true6",
        Compare::True7 => "true7",
    }
}

fn condition_text(condition: Condition) -> &'static str {
    match (condition.op & 3, condition.ref_x, condition.ref_y) {
        (0, true, true) => "cmp.x || cmp.y",
        (0, true, false) => "cmp.x || !cmp.y",
        (0, false, true) => "!cmp.x || cmp.y",
        (0, false, false) => "!cmp.x || !cmp.y",
        (1, true, true) => "cmp.x && cmp.y",
        (1, true, false) => "cmp.x && !cmp.y",
        (1, false, true) => "!cmp.x && cmp.y",
        (1, false, false) => "!cmp.x && !cmp.y",
        (2, true, _) => "cmp.x",
        (2, false, _) => "!cmp.x",
        (_, _, true) => "cmp.y",
        (_, _, false) => "!cmp.y",
    }
}

/// What a flow instruction asks.
#[derive(Clone, Copy)]
enum Test {
    Condition(Condition),
    Uniform(u8),
}

impl Test {
    /// Bits 22-25 of the word.
    fn bits(self) -> u32 {
        match self {
            Self::Condition(c) => u32::from(c.op) | u32::from(c.ref_y) << 2 | u32::from(c.ref_x) << 3,
            Self::Uniform(number) => number.into(),
        }
    }
}

#[allow(clippy::too_many_arguments)]
fn flow(
    sink: &mut impl Sink,
    places: &Places,
    form: Form,
    opcode: Opcode,
    num: u8,
    unused: u8,
    dst: u16,
    test: Test,
    names: &Names,
) {
    let dst = u32::from(dst);
    let short = u32::from(num);
    // Ten bits: the reference assembler lets a long NUM run into bits 8 and 9, and so does ours.
    let long = u32::from(unused) << 8 | short;
    let inverted_jump = opcode == Opcode::Jmpu && short & 1 != 0;
    match (opcode, test) {
        (Opcode::Call, _) => {}
        (Opcode::Loop, Test::Uniform(number)) => names.integer(number).put(sink),
        (_, Test::Uniform(number)) => {
            if inverted_jump {
                sink.put(PartKind::Punctuation, "!");
            }
            names.boolean(number).put(sink);
        }
        (_, Test::Condition(condition)) => sink.put(PartKind::Register, condition_text(condition)),
    }
    let comma = |sink: &mut _| Sink::put(sink, PartKind::Punctuation, ", ");
    let bounds = |sink: &mut _, from: u32, to: u32| {
        places.put(sink, from);
        Sink::put(sink, PartKind::Punctuation, "..");
        places.put(sink, to);
    };
    match opcode {
        Opcode::Call | Opcode::Callc | Opcode::Callu => {
            if opcode != Opcode::Call {
                comma(sink);
            }
            if let Some(name) = places.procedure_at(dst, long) {
                sink.put(PartKind::Label, name);
            } else if let Some(name) = places.procedure_at(dst, short) {
                sink.put(PartKind::Label, name);
                field(sink, "@unused=", unused.into(), 0);
            } else {
                bounds(sink, dst, dst + short);
                field(sink, "@unused=", unused.into(), 0);
            }
        }
        Opcode::Ifc | Opcode::Ifu => match form {
            Form::Block => {}
            Form::Bounds => {
                comma(sink);
                bounds(sink, dst, dst + short);
                field(sink, "@unused=", unused.into(), 0);
            }
        },
        Opcode::Loop => {
            if form == Form::Bounds {
                comma(sink);
                sink.put(PartKind::Punctuation, "..");
                places.put(sink, dst + 1);
            }
            field(sink, "@num=", short, 0);
            field(sink, "@unused=", unused.into(), 0);
        }
        Opcode::Jmpc | Opcode::Jmpu => {
            comma(sink);
            places.put(sink, dst);
            field(sink, "@num=", short, u32::from(inverted_jump));
            field(sink, "@unused=", unused.into(), 0);
        }
        _ => {
            field(sink, "@dst=", dst, 0);
            field(sink, "@num=", short, 0);
            field(sink, "@unused=", unused.into(), 0);
        }
    }
    // Bits of the condition that have no effect: the assembler sets unused references, and clears all
    // four for CALL.
    let usual = match test {
        Test::Uniform(_) => test.bits(),
        Test::Condition(_) if opcode == Opcode::Call => 0,
        Test::Condition(Condition { op, ref_x, ref_y }) => match op & 3 {
            2 => Test::Condition(Condition { op, ref_x, ref_y: true }).bits(),
            3 => Test::Condition(Condition { op, ref_x: true, ref_y }).bits(),
            _ => test.bits(),
        },
    };
    field(sink, "@cond=", test.bits(), usual);
}
