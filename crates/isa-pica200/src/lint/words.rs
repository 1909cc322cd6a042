//! Findings that one instruction, or two neighbours, show by themselves.

use crate::{
    Index, Inst, Opcode, Operands, Reg, decode,
    inst::RegKind,
    reach::{Flow, Reach},
    view::Shape,
};
use unshade_bytes::Severity::{Error, Warning};
use unshade_isa_common::findings::Findings;
use unshade_stage::StageKind;

pub(super) fn check(findings: &mut Findings<'_>, reach: &Reach) {
    let stage = findings.stage;
    let words = &*stage.code.words;
    let mut last_mova = None;
    for (at, &word) in (0u32..).zip(words) {
        if !reach.words.get(at as usize).copied().unwrap_or(false) {
            continue;
        }
        let Inst::Known { opcode, operands } = decode(word) else {
            let message = format!("{word:#010x} is no known instruction (opcode {:#04x})", word >> 26);
            findings.word(Error, "pica200.unknown-opcode", at, message);
            continue;
        };
        operand_checks(findings, at, opcode, &operands);
        flow_checks(findings, at, word, opcode, words.len() as u32);
        if opcode == Opcode::Mova {
            if at.checked_sub(1).is_some_and(|before| last_mova == Some(before)) {
                let message = "two `mova` in a row hang the hardware";
                findings.word(Warning, "pica200.adjacent-mova", at, message);
            }
            last_mova = Some(at);
        }
        if matches!(opcode, Opcode::Emit | Opcode::Setemit) && stage.kind == StageKind::Vertex {
            let message = format!("`{}` in a vertex program: only geometry programs emit", opcode.name());
            findings.word(Warning, "pica200.emit-in-vertex", at, message);
        }
    }
}

/// The sources of an instruction, each with its index register.
pub(crate) fn sources(opcode: Opcode, operands: &Operands) -> [Option<(Reg, Index)>; 3] {
    let none = Index::None;
    match *operands {
        Operands::One { src1, index, .. } => [Some((src1, index)), None, None],
        Operands::Two { src1, src2, index, .. } => match opcode {
            Opcode::Dphi | Opcode::Dsti | Opcode::Sgei | Opcode::Slti => {
                [Some((src1, none)), Some((src2, index)), None]
            }
            _ => [Some((src1, index)), Some((src2, none)), None],
        },
        Operands::Compare { src1, src2, index, .. } => [Some((src1, index)), Some((src2, none)), None],
        Operands::Mad { src1, src2, src3, index, .. } if opcode == Opcode::Madi => {
            [Some((src1, none)), Some((src2, none)), Some((src3, index))]
        }
        Operands::Mad { src1, src2, src3, index, .. } => {
            [Some((src1, none)), Some((src2, index)), Some((src3, none))]
        }
        _ => [None; 3],
    }
}

fn operand_checks(findings: &mut Findings<'_>, at: u32, opcode: Opcode, operands: &Operands) {
    let descriptors = findings.stage.code.descriptors.len();
    let desc = match *operands {
        Operands::One { desc, .. }
        | Operands::Two { desc, .. }
        | Operands::Compare { desc, .. }
        | Operands::Mad { desc, .. } => desc,
        _ => return,
    };
    if Shape::of(opcode).is_some() && usize::from(desc) >= descriptors {
        let message = format!("operand descriptor {desc} is used, but there are {descriptors}");
        findings.word(Error, "pica200.descriptor-outside", at, message);
    }
    let mut input = None;
    for (register, index) in sources(opcode, operands).into_iter().flatten() {
        let kind = register.kind();
        if index != Index::None && !matches!(kind, RegKind::Float(_)) {
            let message = "an index register has no effect on a v or r register";
            findings.word(Warning, "pica200.index-ignored", at, message);
        }
        if let RegKind::Input(number) = kind {
            match input {
                Some(other) if other != number => {
                    let message =
                        format!("v{other} and v{number} are read: the hardware can read one input only");
                    findings.word(Warning, "pica200.two-inputs", at, message);
                }
                _ => input = Some(number),
            }
        }
    }
}

fn flow_checks(findings: &mut Findings<'_>, at: u32, word: u32, opcode: Opcode, length: u32) {
    let name = opcode.name();
    let long_num = word >> 8 & 3 != 0;
    match Flow::of(word) {
        Flow::Call { begin, end } => {
            if begin >= length || end > length {
                let message =
                    format!("`{name}` runs words {begin:#x} to {end:#x}, but the code has {length:#x}");
                findings.word(Error, "pica200.call-outside", at, message);
            }
        }
        Flow::Jump { to } if to >= length => {
            let message = format!("`{name}` goes to word {to:#x}, but the code has {length:#x}");
            findings.word(Error, "pica200.jump-outside", at, message);
        }
        Flow::If { then_end, end } => {
            if then_end > length || end > length {
                let message = format!(
                    "`{name}` has its parts end at {then_end:#x} and {end:#x}, but the code has {length:#x} words"
                );
                findings.word(Error, "pica200.if-outside", at, message);
            } else if then_end <= at {
                let message = format!("`{name}` has its first part end at {then_end:#x}, before it starts");
                findings.word(Warning, "pica200.backward-block", at, message);
            }
        }
        Flow::Loop { last } => {
            if last >= length {
                let message =
                    format!("the last word of the loop is {last:#x}, but the code has {length:#x} words");
                findings.word(Error, "pica200.loop-outside", at, message);
            } else if last <= at {
                let message = format!("the last word of the loop is {last:#x}, before its first");
                findings.word(Warning, "pica200.backward-block", at, message);
            }
            let register = word >> 22 & 0xF;
            if register > 3 {
                let message =
                    format!("i{register} does not exist: the hardware takes it for i{}", register & 3);
                findings.word(Warning, "pica200.int-register", at, message);
            }
        }
        _ => return,
    }
    if long_num && matches!(Flow::of(word), Flow::Call { .. } | Flow::If { .. }) {
        let message = format!("NUM is {} in ten bits, but most readers know eight", word & 0x3FF);
        findings.word(Warning, "pica200.long-num", at, message);
    }
}
