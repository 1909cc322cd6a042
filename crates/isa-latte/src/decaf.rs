//! Programs exactly as the disassembler of the decaf emulator prints them. The text leaves out what it has no
//! word for: unused fields, targets of `POP`, what lies outside of clauses.
//!
//! What decaf stops at (operations it does not know, factors and bank swizzles that do not exist) comes with a
//! number instead of a name. A clause that is printed again and again because many instructions start it is
//! left out at some point, so that the text stays within reach of the code's size.

use super::decode::Program;
use super::fields::{CfExport, CfMemory, CfNormal, Tex, Vtx};
use super::inst::{Alu, Cf, Fetch, Operand, Source};
use super::listing::DEEPEST;
use super::names::{
    COMPONENTS, CONDITIONS, ENDIANS, FACTORS, FETCH_TYPES, INDICES, NUMBER_FORMATS, selected,
};
use super::names::{OTHER_SOURCES, SOURCES, pick, word};
use super::ports::{TRANS_NAMES, VECTOR_NAMES};
use super::print::{address_unit, halves, number};
use super::table::{AluOp, CfOp, Units};
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

fn property(sink: &mut impl Sink, name: &str, value: u32) {
    sink.put(PartKind::Plain, " ");
    sink.put(PartKind::Name, name);
    sink.put(PartKind::Punctuation, "(");
    sink.decimal(PartKind::Immediate, value);
    sink.put(PartKind::Punctuation, ")");
}

fn unless_zero(sink: &mut impl Sink, name: &str, value: u32) {
    if value != 0 {
        property(sink, name, value);
    }
}

fn flag(sink: &mut impl Sink, bit: u32, name: &str) {
    if bit != 0 {
        sink.put(PartKind::Name, name);
    }
}

/// Puts a name and fills up to 15 letters and a blank.
fn mnemonic(sink: &mut impl Sink, name: &str, more: &str) {
    let start = sink.column();
    sink.put(PartKind::Mnemonic, name);
    sink.put(PartKind::Mnemonic, more);
    sink.pad_to(start + 16);
}

fn condition(sink: &mut impl Sink, cf: CfNormal) {
    if cf.cond() != 0 {
        sink.put(PartKind::Name, " CND(");
        sink.put(PartKind::Name, word(&CONDITIONS, cf.cond()));
        sink.put(PartKind::Punctuation, ")");
        property(sink, "CF_CONST", cf.cf_const());
    }
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
            Some(op) if op.is_export() => export(sink, cf.export()),
            Some(op) if op.is_memory() => memory(sink, op, cf.memory()),
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
            if op != CfOp::Tex || inst.op().is_buffer() {
                buffer(sink, inst)
            } else {
                texture(sink, inst)
            }
            sink.words(2 * address..2 * address + 4);
            sink.end_line();
            self.group = self.group.wrapping_add(1);
        }
    }
}

fn lock(sink: &mut impl Sink, set: u32, mode: u32, bank: u32, line: u32) {
    if mode == 0 {
        return;
    }
    sink.put(PartKind::Name, " KCACHE");
    sink.decimal(PartKind::Name, set);
    sink.put(PartKind::Punctuation, "(");
    sink.put(PartKind::Register, "CB");
    sink.decimal(PartKind::Register, bank);
    sink.put(PartKind::Punctuation, ":");
    let index = if mode == 3 { "AL+" } else { "" };
    sink.put(PartKind::Register, index);
    sink.decimal(PartKind::Immediate, 16 * line);
    sink.put(PartKind::Punctuation, "-");
    sink.put(PartKind::Register, index);
    sink.decimal(PartKind::Immediate, 16 * line + if mode == 1 { 15 } else { 31 });
    sink.put(PartKind::Punctuation, ")");
}

fn alu_clause(sink: &mut impl Sink, cf: Cf) {
    let alu = cf.alu();
    sink.put(PartKind::Punctuation, ":");
    property(sink, "ADDR", alu.addr());
    property(sink, "CNT", alu.count() + 1);
    flag(sink, alu.barrier() ^ 1, " NO_BARRIER");
    flag(sink, alu.whole_quad_mode(), " WHOLE_QUAD");
    lock(sink, 0, alu.kcache_mode0(), alu.kcache_bank0(), alu.kcache_addr0());
    lock(sink, 1, alu.kcache_mode1(), alu.kcache_bank1(), alu.kcache_addr1());
}

fn normal(sink: &mut impl Sink, op: CfOp, cf: CfNormal) {
    let no_barrier = cf.barrier() ^ 1;
    match op {
        CfOp::Tex | CfOp::Vtx | CfOp::VtxTc => {
            sink.put(PartKind::Punctuation, ":");
            property(sink, "ADDR", cf.addr());
            property(sink, "CNT", cf.clause_length());
            flag(sink, no_barrier, " NO_BARRIER");
            condition(sink, cf);
            if op == CfOp::Tex {
                flag(sink, cf.whole_quad_mode(), " WHOLE_QUAD");
                flag(sink, cf.valid_pixel_mode(), " VALID_PIX");
            }
        }
        CfOp::LoopStart
        | CfOp::LoopStartDx10
        | CfOp::LoopStartNoAl
        | CfOp::LoopEnd
        | CfOp::LoopContinue
        | CfOp::LoopBreak => {
            condition(sink, cf);
            if matches!(op, CfOp::LoopStart | CfOp::LoopEnd) && cf.cond() == 0 {
                property(sink, "CF_CONST", cf.cf_const());
            }
            let name = match op {
                CfOp::LoopContinue | CfOp::LoopBreak => "ADDR",
                CfOp::LoopEnd => "PASS_JUMP_ADDR",
                _ => "FAIL_JUMP_ADDR",
            };
            property(sink, name, cf.addr());
            unless_zero(sink, "POP_CNT", cf.pop_count());
            flag(sink, cf.valid_pixel_mode(), " VALID_PIX");
            flag(sink, no_barrier, " NO_BARRIER");
        }
        CfOp::Jump | CfOp::Else | CfOp::Call | CfOp::CallFs | CfOp::Return | CfOp::PopJump => {
            if op == CfOp::Call {
                unless_zero(sink, "CALL_COUNT", cf.call_count());
            }
            condition(sink, cf);
            unless_zero(sink, "POP_CNT", cf.pop_count());
            if matches!(op, CfOp::Call | CfOp::Else | CfOp::Jump) {
                property(sink, "ADDR", cf.addr());
            }
            flag(sink, cf.valid_pixel_mode(), " VALID_PIX");
            flag(sink, no_barrier, " NO_BARRIER");
        }
        CfOp::EmitVertex | CfOp::EmitCutVertex | CfOp::CutVertex => flag(sink, no_barrier, " NO_BARRIER"),
        CfOp::Push | CfOp::PushElse | CfOp::Kill | CfOp::Pop | CfOp::PopPush | CfOp::PopPushElse => {
            if matches!(op, CfOp::Push | CfOp::PushElse | CfOp::Kill) {
                condition(sink, cf);
            }
            unless_zero(sink, "POP_CNT", cf.pop_count());
            flag(sink, cf.valid_pixel_mode(), " VALID_PIX");
        }
        CfOp::EndProgram | CfOp::Nop => {}
        _ => sink.put(PartKind::Name, " UNK_FORMAT"),
    }
}

fn moved(sink: &mut impl Sink, relative: u32, gpr: u32) {
    sink.put(PartKind::Register, if relative != 0 { "R[AL + " } else { "R" });
    sink.decimal(PartKind::Register, gpr);
    if relative != 0 {
        sink.put(PartKind::Register, "]");
    }
}

fn behind_export(sink: &mut impl Sink, cf: CfExport) {
    unless_zero(sink, "ELEM_SIZE", cf.elem_size());
    unless_zero(sink, "BURSTCNT", cf.burst_count());
    flag(sink, cf.barrier() ^ 1, " NO_BARRIER");
    flag(sink, cf.whole_quad_mode(), " WHOLE_QUAD");
    flag(sink, cf.valid_pixel_mode(), " VALID_PIX");
}

fn export(sink: &mut impl Sink, cf: CfExport) {
    sink.put(PartKind::Punctuation, ": ");
    let (name, number) = match cf.kind() {
        0 => ("PIX", cf.array_base()),
        1 => ("POS", cf.array_base().wrapping_sub(60)),
        2 => ("PARAM", cf.array_base()),
        _ => ("INVALID", cf.array_base()),
    };
    sink.put(PartKind::Register, name);
    sink.decimal(PartKind::Register, number);
    sink.put(PartKind::Punctuation, ", ");
    moved(sink, cf.gpr_relative(), cf.gpr());
    sink.put_short(PartKind::Register, selected((cf.0 >> 32) as u32));
    behind_export(sink, cf);
}

fn memory(sink: &mut impl Sink, op: CfOp, cf: CfMemory) {
    sink.put(PartKind::Punctuation, ": ");
    let stream = matches!(op, CfOp::MemStream0 | CfOp::MemStream1 | CfOp::MemStream2 | CfOp::MemStream3);
    if stream && cf.kind() & 2 != 0 {
        sink.put(PartKind::Name, "INVALID_READ");
    } else {
        sink.put(PartKind::Name, if cf.kind() & 2 == 0 { "WRITE(" } else { "READ(" });
        sink.decimal(PartKind::Immediate, address_unit(op) * cf.array_base());
        if cf.kind() & 1 != 0 {
            sink.put(PartKind::Punctuation, " + ");
            moved(sink, 0, cf.index_gpr());
        }
        sink.put(PartKind::Punctuation, ")");
    }
    sink.put(PartKind::Punctuation, ", ");
    moved(sink, cf.gpr_relative(), cf.gpr());
    sink.put(PartKind::Register, ".");
    for (lane, letter) in ["x", "y", "z", "w"].into_iter().enumerate() {
        sink.put(PartKind::Register, if cf.comp_mask() >> lane & 1 != 0 { letter } else { "_" });
    }
    property(sink, "ARRAY_SIZE", cf.array_size());
    behind_export(sink, CfExport(cf.0));
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
    if inst.writes() {
        let operand = Operand {
            source: Source::Gpr(inst.dst_gpr() as u8),
            relative: two.dst_rel() != 0,
            channel: inst.dst_chan() as u8,
            negate: false,
            absolute: false,
        };
        source(sink, operand, two.index_mode(), group, literals);
    } else {
        sink.put(PartKind::Register, "____");
    }
    for index in 0..sources(inst) {
        sink.put(PartKind::Punctuation, ", ");
        source(sink, inst.operand(index), two.index_mode(), group, literals);
    }
    flag(sink, two.clamp(), " CLAMP");
    let trans = op.is_some_and(|op| op != AluOp::MovaGprInt && op.info().units == Units::Trans);
    let number = two.bank_swizzle() as usize;
    let names: &[&str] = if trans { &TRANS_NAMES } else { &VECTOR_NAMES };
    if trans || number != 0 {
        sink.put(PartKind::Plain, " ");
        sink.put(PartKind::Name, names.get(number).copied().unwrap_or("UNKNOWN"));
    }
    match two.pred_sel() {
        0 => {}
        2 => sink.put(PartKind::Name, " PRED_SEL_ZERO"),
        3 => sink.put(PartKind::Name, " PRED_SEL_ONE"),
        _ => sink.put(PartKind::Name, " PRED_SEL_UNKNOWN"),
    }
    flag(sink, inst.updates_mask().into(), " UPDATE_EXEC_MASK");
    flag(sink, inst.updates_predicate().into(), " UPDATE_PRED");
}

fn source(sink: &mut impl Sink, operand: Operand, index_mode: u32, group: u32, literals: &[u32; 4]) {
    if operand.negate {
        sink.put(PartKind::Punctuation, "-");
    }
    if operand.absolute {
        sink.put(PartKind::Punctuation, "|");
    }
    let sel = operand.source.sel();
    let mut channel = false;
    match operand.source {
        Source::Gpr(_) | Source::Kcache(..) | Source::Constant(_) => {
            let name = pick(&SOURCES, sel << 2).text();
            sink.put(PartKind::Register, name.get(2..name.len().saturating_sub(2)).unwrap_or_default());
            channel = true;
        }
        Source::Zero => sink.put(PartKind::Immediate, "0.0f"),
        Source::One => sink.put(PartKind::Immediate, "1.0f"),
        Source::IntOne => sink.put(PartKind::Immediate, "1"),
        Source::IntMinusOne => sink.put(PartKind::Immediate, "-1"),
        Source::Half => sink.put(PartKind::Immediate, "0.5f"),
        Source::Literal => {
            let value = literals[usize::from(operand.channel & 3)];
            sink.put(PartKind::Punctuation, "(");
            sink.hex(PartKind::Immediate, value, 8);
            sink.put(PartKind::Punctuation, ", ");
            number::float(sink, value);
            sink.put(PartKind::Punctuation, ")");
        }
        Source::PreviousVector | Source::PreviousScalar => {
            channel = operand.source == Source::PreviousVector;
            sink.put(PartKind::Register, if channel { "PV" } else { "PS" });
            match group.checked_sub(1) {
                Some(previous) => sink.decimal(PartKind::Register, previous),
                // decaf counts in 64 bits without a sign.
                None => sink.put(PartKind::Register, "18446744073709551615"),
            }
        }
        Source::Other(_) => {
            let name = OTHER_SOURCES.iter().find(|(_, other)| *other == sel).map(|(name, _)| *name);
            sink.put(PartKind::Register, name.unwrap_or("UNKNOWN"));
        }
    }
    if operand.relative {
        let name = if index_mode <= 4 { word(&INDICES, index_mode) } else { "[UNKNOWN]" };
        sink.put(PartKind::Register, name);
    }
    if channel {
        sink.put_short(PartKind::Register, pick(&COMPONENTS, operand.channel.into()));
    }
    if operand.absolute {
        sink.put(PartKind::Punctuation, "|");
    }
}

fn register(sink: &mut impl Sink, number: u32, relative: u32) {
    sink.put(PartKind::Register, "R");
    sink.decimal(PartKind::Register, number);
    flag(sink, relative, "[AL]");
}

/// The selects of a destination that is not written.
const MASKED: u32 = 0o7777;

fn texture(sink: &mut impl Sink, fetch: Fetch) {
    let tex = Tex(fetch.0);
    mnemonic(sink, fetch.op().name(), "");
    let selects = (fetch.0 >> 41) as u32 & 0o7777;
    if selects == MASKED {
        sink.put(PartKind::Register, "____");
    } else {
        register(sink, tex.dst_gpr(), tex.dst_rel());
        sink.put_short(PartKind::Register, selected(selects));
    }
    sink.put(PartKind::Punctuation, ", ");
    register(sink, tex.src_gpr(), tex.src_rel());
    sink.put_short(PartKind::Register, selected((fetch.0 >> 84) as u32));
    sink.put(PartKind::Register, ", t");
    sink.decimal(PartKind::Register, tex.resource_id());
    sink.put(PartKind::Register, ", s");
    sink.decimal(PartKind::Register, tex.sampler_id());
    if tex.lod_bias() != 0 {
        let eighths = (tex.lod_bias() as i32) << 25 >> 25;
        sink.put(PartKind::Name, " LOD(");
        number::float(sink, (eighths as f32 / 8.0).to_bits());
        sink.put(PartKind::Punctuation, ")");
    }
    flag(sink, tex.fetch_whole_quad(), " WHOLE_QUAD");
    flag(sink, tex.bc_frac_mode(), " BC_FRAC_MODE");
    flag(sink, tex.alt_const(), " ALT_CONST");
    if tex.normalized() != [true; 4] {
        sink.put(PartKind::Name, " DENORM(");
        for (letter, normalized) in ["X", "Y", "Z", "W"].into_iter().zip(tex.normalized()) {
            flag(sink, u32::from(!normalized), letter);
        }
        sink.put(PartKind::Punctuation, ")");
    }
    for (name, offset) in [" XOFFSET(", " YOFFSET(", " ZOFFSET("].into_iter().zip(tex.offsets()) {
        if offset != 0 {
            sink.put(PartKind::Name, name);
            halves(sink, offset);
            sink.put(PartKind::Punctuation, ")");
        }
    }
}

fn buffer(sink: &mut impl Sink, fetch: Fetch) {
    let vtx = Vtx(fetch.0);
    let name = match vtx.inst() {
        0 => "FETCH",
        1 => "SEMANTIC",
        14 => "BUFINFO",
        _ => fetch.op().name(),
    };
    mnemonic(sink, name, "");
    let selects = (fetch.0 >> 41) as u32 & 0o7777;
    if selects == MASKED {
        sink.put(PartKind::Register, "____");
    } else {
        if vtx.inst() == 1 {
            sink.put(PartKind::Register, "SEM[");
            sink.decimal(PartKind::Register, vtx.semantic_id());
            sink.put(PartKind::Register, "]");
        } else {
            register(sink, vtx.dst_gpr(), vtx.dst_rel());
        }
        sink.put_short(PartKind::Register, selected(selects));
    }
    sink.put(PartKind::Punctuation, ", ");
    register(sink, vtx.src_gpr(), vtx.src_rel());
    sink.put_short(PartKind::Register, pick(&COMPONENTS, vtx.src_sel_x()));
    sink.put(PartKind::Register, ", b");
    sink.decimal(PartKind::Register, vtx.buffer_id());
    sink.put(PartKind::Name, " FETCH_TYPE(");
    sink.put(PartKind::Name, word(&FETCH_TYPES, vtx.fetch_type()));
    sink.put(PartKind::Punctuation, ")");
    if vtx.use_const_fields() == 0 {
        sink.put(PartKind::Name, " FORMAT( ");
        sink.decimal(PartKind::Immediate, vtx.data_format());
        // The number of an unknown format stands without a blank.
        flag(sink, u32::from(vtx.num_format_all() < 3), " ");
        sink.put(PartKind::Name, word(&NUMBER_FORMATS, vtx.num_format_all()));
        sink.put(PartKind::Name, if vtx.format_comp_all() != 0 { " SIGNED " } else { " UNSIGNED " });
        sink.decimal(PartKind::Immediate, vtx.srf_mode_all());
        sink.put(PartKind::Punctuation, ")");
    }
    property(sink, if vtx.mega_fetch() != 0 { "MEGA" } else { "MINI" }, vtx.mega_fetch_count() + 1);
    property(sink, "OFFSET", vtx.offset());
    flag(sink, vtx.fetch_whole_quad(), " WHOLE_QUAD");
    if vtx.endian_swap() != 0 {
        sink.put(PartKind::Name, " ENDIAN_SWAP(");
        sink.put(PartKind::Name, word(&ENDIANS, vtx.endian_swap()));
        sink.put(PartKind::Punctuation, ")");
    }
    flag(sink, vtx.const_buf_no_stride(), " CONST_BUF_NO_STRIDE");
    flag(sink, vtx.alt_const(), " ALT_CONST");
}
