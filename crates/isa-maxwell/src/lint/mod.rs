//! What is legal to encode but wrong to run, and what the header in front of a program says beside its code.
//!
//! Only what control flow reaches is looked at. Sources: NVIDIA's document of the program header, what its
//! disassembler refuses, and the programs of the corpus, in all of which these rules hold.

mod declared;
mod words;

use super::header::Header;
use super::reachable::{Reach, Stray};
use super::usage::Uses;
use unshade_bytes::{
    Diagnostic,
    Severity::{Error, Warning},
};
use unshade_isa_common::findings::Findings;
use unshade_stage::{Stage, StageKind};

/// Checks the code of a program. Codes start with `maxwell.`; paths are `code[0xWORD]`, counted in words of 32
/// bits, or `code` for what concerns the whole of it.
pub fn lint(stage: &Stage<'_>) -> Vec<Diagnostic> {
    let mut findings = Findings::new(stage);
    if stage.code.words.is_empty() {
        findings.whole(Error, "maxwell.empty", "there is no code");
        return findings.finish();
    }
    let reach = Reach::new(&stage.code);
    for (address, stray) in &reach.strays {
        let at = (*address / 4) as u32;
        match stray {
            Stray::Outside(target) => {
                let message = format!("leads to {target:#x}, outside of the code");
                findings.word(Error, "maxwell.target", at, message);
            }
            Stray::Inside(target) => {
                let message = format!("leads to {target:#x}, inside of a word");
                findings.word(Error, "maxwell.target", at, message);
            }
            Stray::End => findings.word(Warning, "maxwell.no-end", at, "control goes on behind the code"),
        }
    }
    let uses = Uses::new(&reach);
    let maxwell = stage.interface.maxwell.as_deref();
    let header = maxwell.and_then(|around| Header::read(&around.header));
    let header = header.filter(|_| stage.kind != StageKind::Compute);
    words::check(&mut findings, &reach, header.as_ref());
    if let (StageKind::Fragment, Some(maxwell)) = (stage.kind, maxwell) {
        words::slopes(&mut findings, &reach, maxwell);
    }
    if let Some(header) = &header {
        declared::check(&mut findings, header, &uses, stage.kind);
    }
    if let Some(claimed) = maxwell.and_then(|around| around.registers)
        && uses.registers > claimed
    {
        let message =
            format!("the code uses R{}, but the program claims {claimed} registers", uses.registers - 1);
        findings.whole(Warning, "maxwell.registers", message);
    }
    findings.finish()
}
