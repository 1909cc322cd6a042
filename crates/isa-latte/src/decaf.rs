//! Programs exactly as the disassembler of the decaf emulator prints them. The text leaves out what it has no
//! word for: unused fields, targets of `POP`, what lies outside of clauses.
//!
//! What decaf stops at (operations it does not know, factors and bank swizzles that do not exist) comes with a
//! number instead of a name. A clause that is printed again and again because many instructions start it is
//! left out at some point, so that the text stays within reach of the code's size.

use super::decode::Program;
use super::fields::CfNormal;
use super::inst::{Alu, Cf, Fetch, Operand, Source};
use super::listing::DEEPEST;
use super::names::{FACTORS, INDICES, word};
use super::ports::{TRANS_NAMES, VECTOR_NAMES};
use super::print::{Read, export, has_words, memory, operand, operands, property, suffixes, words};
use super::table::form::{
    ARITHMETIC, BUFFER, CALL_COUNT, CF_CONST, CLAMP, CND, EXPORT, MEMORY, NO_BARRIER, POP_CNT, PREDICATES,
    TEXTURE, VALID_PIX, WHOLE_QUAD,
};
use super::table::suffix::{Suffix, Text};
use super::table::{AluOp, CfOp, FetchOp, Units};
use unshade_isa_common::text::{PartKind, Sink};

/// Writes a program.
///
/// ```
/// use unshade_isa_common::text::PlainText;
/// use unshade_isa_latte::decaf;
/// let mut text = PlainText::default();
/// decaf::list(&[0xC000_0000, 0x9420_0688], &mut text);
/// assert_eq!(text.text(), "00 EXP_DONE: PIX0, R0.xyzw ELEM_SIZE(3)\n\nEND_OF_PROGRAM\n");
/// ```
pub fn list(words: &[u32], sink: &mut impl Sink) {
    let program = Program::new(words);
    let mut writer = Writer { program, group: 0, depth: 0, left: u64::from(program.units()) * 4 + 1024 };
    for (address, cf) in program.control_flow() {
        if address > 0 {
            sink.end_line();
        }
        writer.instruction(sink, address, cf);
        if cf.ends_program() {
            sink.end_line();
            sink.put(PartKind::Mnemonic, "END_OF_PROGRAM");
            sink.end_line();
        }
    }
}

struct Writer<'a> {
    program: Program<'a>,
    /// Number of the next group.
    group: u32,
    /// Loops around the current instruction.
    depth: usize,
    /// Units of clauses that may still be printed.
    left: u64,
}

/// Puts a name and fills up to 15 letters and a blank.
fn mnemonic(sink: &mut impl Sink, name: &str, more: &str) {
    let start = sink.column();
    sink.put(PartKind::Mnemonic, name);
    sink.put(PartKind::Mnemonic, more);
    sink.pad_to(start + 16);
}

impl Writer<'_> {
    fn indent(&self, sink: &mut impl Sink) {
        for _ in 0..self.depth.min(DEEPEST) {
            sink.put(PartKind::Plain, "  ");
        }
    }

    fn instruction(&mut self, sink: &mut impl Sink, address: u32, cf: Cf) {
        let op = cf.op();
        self.indent(sink);
        if address < 10 {
            sink.put(PartKind::Label, "0");
        }
        sink.decimal(PartKind::Label, address);
        sink.put(PartKind::Plain, " ");
        match op {
            Some(op) => sink.put(PartKind::Mnemonic, op.name()),
            None => {
                sink.put(PartKind::Mnemonic, "CF_");
                sink.decimal(PartKind::Mnemonic, cf.normal().inst());
            }
        }
        match op {
            Some(op) if op.is_alu() => {
                alu_clause(sink, cf);
                sink.words(2 * address..2 * address + 2);
                self.arithmetic(sink, cf);
                // The first group follows without an empty line.
                if sink.column() > 0 {
                    sink.end_line();
                }
                return;
            }
            Some(op) if op.is_export() => {
                export(sink, cf.export(), Text::Decaf);
                words(sink, &EXPORT, cf.0.into(), Text::Decaf);
            }
            Some(op) if op.is_memory() => {
                memory(sink, op, cf.memory(), Text::Decaf);
                words(sink, &MEMORY, cf.0.into(), Text::Decaf);
            }
            Some(op) => normal(sink, op, cf.normal()),
            None => sink.put(PartKind::Name, " UNK_FORMAT"),
        }
        sink.words(2 * address..2 * address + 2);
        sink.end_line();
        match op {
            Some(CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl) => self.depth += 1,
            Some(CfOp::LoopEnd) => self.depth = self.depth.saturating_sub(1),
            Some(op @ (CfOp::Tex | CfOp::Vtx | CfOp::VtxTc)) => self.fetches(sink, cf, op),
            _ => {}
        }
    }

    fn head(&self, sink: &mut impl Sink) {
        sink.end_line();
        self.indent(sink);
        sink.put(PartKind::Plain, "  ");
        let start = sink.column();
        sink.decimal(PartKind::Label, self.group);
        while sink.column() < start + 3 {
            sink.put(PartKind::Plain, " ");
        }
    }

    fn arithmetic(&mut self, sink: &mut impl Sink, cf: Cf) {
        let program = self.program;
        for group in program.groups(cf.alu()) {
            let Some(left) = self.left.checked_sub(group.size().into()) else { return };
            self.left = left;
            self.head(sink);
            for (index, (unit, inst)) in group.insts().enumerate() {
                if index > 0 {
                    self.indent(sink);
                    sink.put(PartKind::Plain, "     ");
                }
                sink.put(PartKind::Plain, " ");
                sink.put(PartKind::Label, unit.letter().encode_utf8(&mut [0; 4]));
                sink.put(PartKind::Label, ": ");
                instruction(sink, inst, self.group, &group.literals);
                let at = 2 * (group.address + index as u32);
                sink.words(at..at + 2);
                sink.end_line();
            }
            self.group = self.group.wrapping_add(1);
        }
    }

    fn fetches(&mut self, sink: &mut impl Sink, cf: Cf, op: CfOp) {
        let program = self.program;
        for (address, inst) in program.fetches(cf.normal()) {
            let Some(left) = self.left.checked_sub(2) else { return };
            self.left = left;
            self.head(sink);
            sink.put(PartKind::Plain, "    ");
            fetch(sink, inst, op != CfOp::Tex || inst.op().is_buffer());
            sink.words(2 * address..2 * address + 4);
            sink.end_line();
            self.group = self.group.wrapping_add(1);
        }
    }
}

fn alu_clause(sink: &mut impl Sink, cf: Cf) {
    sink.put(PartKind::Punctuation, ":");
    property(sink, "ADDR", cf.alu().addr());
    property(sink, "CNT", cf.alu().count() + 1);
    words(sink, &ARITHMETIC, cf.0.into(), Text::Decaf);
}

fn normal(sink: &mut impl Sink, op: CfOp, cf: CfNormal) {
    let say = |sink: &mut _, rows: &[Suffix]| {
        suffixes(sink, rows, cf.0.into(), Text::Decaf);
    };
    let target = |sink: &mut _| {
        if let Some((word, _)) = op.target() {
            property(sink, word, cf.addr());
        }
    };
    match op {
        CfOp::Tex | CfOp::Vtx | CfOp::VtxTc => {
            sink.put(PartKind::Punctuation, ":");
            property(sink, "ADDR", cf.addr());
            property(sink, "CNT", cf.clause_length());
            say(sink, &[NO_BARRIER, CND, CF_CONST]);
            if op == CfOp::Tex {
                say(sink, &[WHOLE_QUAD, VALID_PIX]);
            }
        }
        CfOp::LoopStart
        | CfOp::LoopStartDx10
        | CfOp::LoopStartNoAl
        | CfOp::LoopEnd
        | CfOp::LoopContinue
        | CfOp::LoopBreak => {
            say(sink, &[CND, CF_CONST]);
            target(sink);
            say(sink, &[POP_CNT, VALID_PIX, NO_BARRIER]);
        }
        CfOp::Jump | CfOp::Else | CfOp::Call | CfOp::CallFs | CfOp::Return | CfOp::PopJump => {
            if op == CfOp::Call {
                say(sink, &[CALL_COUNT]);
            }
            say(sink, &[CND, CF_CONST, POP_CNT]);
            if op != CfOp::PopJump {
                target(sink);
            }
            say(sink, &[VALID_PIX, NO_BARRIER]);
        }
        CfOp::EmitVertex | CfOp::EmitCutVertex | CfOp::CutVertex => say(sink, &[NO_BARRIER]),
        CfOp::Push | CfOp::PushElse | CfOp::Kill => say(sink, &[CND, CF_CONST, POP_CNT, VALID_PIX]),
        CfOp::Pop | CfOp::PopPush | CfOp::PopPushElse => say(sink, &[POP_CNT, VALID_PIX]),
        CfOp::EndProgram | CfOp::Nop => {}
        _ => sink.put(PartKind::Name, " UNK_FORMAT"),
    }
}

/// Sources that decaf prints: more than the operation reads, for some.
fn sources(inst: Alu) -> usize {
    match inst.op() {
        Some(
            AluOp::NotInt
            | AluOp::PredSetInv
            | AluOp::PredSetClr
            | AluOp::PredSetRestore
            | AluOp::Max4
            | AluOp::MovaGprInt,
        ) => 2,
        Some(op) => op.info().sources.into(),
        None => inst.operand_count(),
    }
}

fn instruction(sink: &mut impl Sink, inst: Alu, group: u32, literals: &[u32; 4]) {
    let two = inst.op2();
    let factor = if inst.updates_mask() { "" } else { word(&FACTORS, inst.omod()) };
    let op = inst.op();
    match op {
        Some(op) => mnemonic(sink, op.name(), factor),
        None => mnemonic(sink, if inst.is_op3() { "OP3_UNKNOWN" } else { "OP2_UNKNOWN" }, factor),
    }
    let index_mode = two.index_mode();
    let read = Read {
        previous: group.checked_sub(1),
        literals,
        in_order: true,
        index: if index_mode <= 4 { word(&INDICES, index_mode) } else { "[UNKNOWN]" },
    };
    if inst.writes() {
        let target = Operand {
            source: Source::Gpr(inst.dst_gpr() as u8),
            relative: two.dst_rel() != 0,
            channel: inst.dst_chan() as u8,
            negate: false,
            absolute: false,
        };
        operand(sink, target, &read, Text::Decaf);
    } else {
        sink.put(PartKind::Register, "____");
    }
    for index in 0..sources(inst) {
        sink.put(PartKind::Punctuation, ", ");
        operand(sink, inst.operand(index), &read, Text::Decaf);
    }
    let bits = inst.0.into();
    let has_words = has_words(inst);
    if has_words {
        suffixes(sink, &[CLAMP], bits, Text::Decaf);
    }
    let trans = op.is_some_and(|op| op != AluOp::MovaGprInt && op.info().units == Units::Trans);
    let number = two.bank_swizzle() as usize;
    let names: &[&str] = if trans { &TRANS_NAMES } else { &VECTOR_NAMES };
    if trans || number != 0 {
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Name, names.get(number).copied().unwrap_or("UNKNOWN"));
    }
    if has_words {
        suffixes(sink, &PREDICATES, bits, Text::Decaf);
        if two.pred_sel() == 1 {
            sink.put(PartKind::Name, " PRED_SEL_UNKNOWN");
        }
        suffixes(sink, inst.updates(), bits, Text::Decaf);
    }
}

/// Writes a fetch. In a clause that is not of textures all are taken for fetches from buffers.
fn fetch(sink: &mut impl Sink, fetch: Fetch, is_buffer: bool) {
    let op = fetch.op();
    mnemonic(sink, if is_buffer && op == FetchOp::SetCubemapIndex { "BUFINFO" } else { op.spelling() }, "");
    operands(sink, fetch, is_buffer, Text::Decaf);
    words(sink, if is_buffer { &BUFFER } else { &TEXTURE }, fetch.0, Text::Decaf);
}
