//! Inputs and outputs: what the code does against what the file says, and outputs that are written twice
//! or never, which can hang the hardware (3dbrew, Pitfalls).

use super::words::sources;
use crate::{
    Descriptor, Dest, Inst, Opcode, Operands, decode,
    inst::RegKind,
    reach::{Flow, Reach},
};
use unshade_bytes::Severity::Warning;
use unshade_isa_common::findings::Findings;
use unshade_stage::StageKind;

pub(super) fn check(findings: &mut Findings<'_>, reach: &Reach) {
    let stage = findings.stage;
    let code = &stage.code;
    let mut written = [0u8; 16];
    let mut read = 0u32;
    let mut unknown = !reach.complete;
    let straight = straight_words(&code.words, reach);
    // The word that surely wrote each component.
    let mut sure: [[Option<u32>; 4]; 16] = [[None; 4]; 16];
    for (at, &word) in (0u32..).zip(&*code.words) {
        if reach.words.get(at as usize) != Some(&true) {
            continue;
        }
        let Inst::Known { opcode, operands } = decode(word) else { continue };
        for (register, _) in sources(opcode, &operands).into_iter().flatten() {
            if let RegKind::Input(number) = register.kind() {
                read |= 1 << number;
            }
        }
        let Some((register, desc)) = output(opcode, &operands) else { continue };
        let Some(&low) = code.descriptors.get(usize::from(desc)) else {
            unknown = true;
            continue;
        };
        let mask = Descriptor(low).mask();
        let Some(all) = written.get_mut(usize::from(register)) else { continue };
        *all |= mask;
        if stage.kind != StageKind::Vertex || straight.get(at as usize) != Some(&true) {
            continue;
        }
        let Some(components) = sure.get_mut(usize::from(register)) else { continue };
        let mut twice = String::new();
        for (lane, component) in components.iter_mut().enumerate().filter(|(lane, _)| mask >> lane & 1 != 0) {
            if component.replace(at).is_some() {
                twice.push(b"xyzw"[lane].into());
            }
        }
        if !twice.is_empty() {
            let message =
                format!("o{register}.{twice} is written a second time, which can hang the hardware");
            findings.word(Warning, "pica200.output-written-twice", at, message);
        }
    }
    let interface = &stage.interface;
    if !unknown {
        never_written(findings, &written);
    }
    let outputs =
        (0..16).filter(|&n| written.get(n).is_some_and(|&mask| mask != 0)).fold(0, |all, n| all | 1 << n);
    for (mask, used, letter, code, what) in [
        (interface.input_mask, read, 'v', "pica200.input-mask", "reads"),
        (interface.output_mask, outputs, 'o', "pica200.output-mask", "writes"),
    ] {
        // A mask of 0 says nothing: older producers leave it so.
        let missing = used & !mask;
        if mask != 0 && missing != 0 {
            let names: Vec<String> =
                (0..16).filter(|n| missing >> n & 1 != 0).map(|n| format!("{letter}{n}")).collect();
            let message =
                format!("the code {what} {}, which the file's mask does not name", names.join(", "));
            findings.whole(Warning, code, message);
        }
    }
}

/// The output register that an instruction writes, and its descriptor.
fn output(opcode: Opcode, operands: &Operands) -> Option<(u8, u8)> {
    let (dst, desc): (Dest, u8) = match *operands {
        Operands::One { dst, desc, .. } if opcode != Opcode::Mova => (dst, desc),
        Operands::Two { dst, desc, .. } | Operands::Mad { dst, desc, .. } => (dst, desc),
        _ => return None,
    };
    dst.output().map(|register| (register, desc))
}

/// Components that the file gives a meaning and the code never writes.
fn never_written(findings: &mut Findings<'_>, written: &[u8; 16]) {
    for output in &findings.stage.interface.outputs {
        let Some(&mask) = written.get(output.register as usize) else { continue };
        let missing = output.mask & 0xF & !mask;
        if missing != 0 {
            let letters: String = "xyzw"
                .chars()
                .enumerate()
                .filter(|(lane, _)| missing >> lane & 1 != 0)
                .map(|(_, c)| c)
                .collect();
            let message = format!(
                "o{}.{letters} ({}) is never written, which can hang the hardware",
                output.register, output.semantic
            );
            findings.whole(Warning, "pica200.output-never-written", message);
        }
    }
}

/// Words of the main program that run exactly once before it ends: in no block, jumped over by nothing,
/// and in nothing that is called.
fn straight_words(words: &[u32], reach: &Reach) -> Vec<bool> {
    let mut doubt = vec![0i32; words.len() + 1];
    let mut cover = |from: u32, to: u32| {
        let to = (to as usize).min(words.len());
        if (from as usize) < to {
            doubt[from as usize] += 1;
            doubt[to] -= 1;
        }
    };
    for (at, &word) in (0u32..).zip(words).filter(|(at, _)| reach.words.get(*at as usize) == Some(&true)) {
        match Flow::of(word) {
            Flow::If { end, .. } => cover(at + 1, end),
            Flow::Loop { last } => cover(at + 1, last + 1),
            Flow::Jump { to } if to > at => cover(at + 1, to),
            Flow::Jump { to } => cover(to, at + 1),
            _ => {}
        }
    }
    for run in reach.runs.iter().filter(|run| run.end.is_some()) {
        cover(run.begin, run.end.unwrap_or(0));
    }
    let mut now = 0;
    doubt
        .into_iter()
        .map(|change| {
            now += change;
            now == 0
        })
        .collect()
}
