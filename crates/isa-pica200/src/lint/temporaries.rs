//! Temporaries that a program reads and never writes: what is in them is what some other program left there.

use crate::exec::{Program, Read, State};
use crate::inst::RegKind;
use crate::reach::{Reach, reach};
use unshade_bytes::Severity::Warning;
use unshade_isa_common::findings::Findings;
use unshade_stage::Stage;

/// Components of temporaries that are read and that nothing that runs ever writes: the word that reads them first, the register, and
/// its components, bit 0 = x.
pub fn unwritten(stage: &Stage<'_>) -> Vec<(u32, u8, u8)> {
    if stage.code.entry as usize >= stage.code.words.len() {
        return Vec::new();
    }
    found(stage, &reach(&stage.code.words, stage.code.entry))
}

fn found(stage: &Stage<'_>, reach: &Reach) -> Vec<(u32, u8, u8)> {
    if !reach.complete {
        return Vec::new();
    }
    let (program, state) = (Program::new(stage), State::default());
    let mut written = [0_u8; 16];
    let mut read: [Option<(u32, u8)>; 16] = [None; 16];
    for word in (0_u32..).zip(&reach.words).filter(|(_, reached)| **reached).map(|(word, _)| word) {
        if let Some((number, mask)) = program.written(word).and_then(|(to, mask)| Some((to.temp()?, mask))) {
            written[usize::from(number & 15)] |= mask;
        }
        for (what, mask) in program.reads(word, &state) {
            if let Read::Register(RegKind::Temp(number)) = what {
                read[usize::from(number & 15)].get_or_insert((word, 0)).1 |= mask;
            }
        }
    }
    let missing = (0_u8..).zip(read).zip(written).filter_map(|((number, read), written)| {
        let (word, mask) = read?;
        (mask & !written != 0).then_some((word, number, mask & !written))
    });
    missing.collect()
}

pub(super) fn check(findings: &mut Findings<'_>, reach: &Reach) {
    for (word, number, mask) in found(findings.stage, reach) {
        let letters: String = "xyzw"
            .chars()
            .enumerate()
            .filter(|(lane, _)| mask >> lane & 1 != 0)
            .map(|(_, letter)| letter)
            .collect();
        let message = format!("r{number}.{letters} is read, but nothing that runs writes it");
        findings.word(Warning, "pica200.unwritten-temporary", word, message);
    }
}
