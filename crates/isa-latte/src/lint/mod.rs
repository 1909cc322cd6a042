//! What is legal to encode but wrong to run, and what the registers around a program say beside its code.
//!
//! Only what control flow reaches is looked at. Sources: AMD's manual of the R700 family, Mesa's driver, and the
//! programs of the corpus, in all of which these rules hold where the text of a finding does not say otherwise.

mod clause;
mod declared;
mod flow;

use super::decode::Program;
use super::layout::Layout;
use super::usage::Uses;
use std::ops::Range;
use unshade_bytes::{
    Diagnostic,
    Severity::{Error, Note},
};
use unshade_isa_common::findings::Findings;
use unshade_stage::Stage;

/// Units that an assembler puts behind the last instruction.
const TAIL: usize = 2;

/// Checks the code of a program. Codes start with `latte.`; paths are `code[0xWORD]`, or `code` for what
/// concerns the whole of it.
pub fn lint(stage: &Stage<'_>) -> Vec<Diagnostic> {
    let mut findings = Findings::new(stage);
    if stage.code.words.is_empty() {
        findings.whole(Error, "latte.empty", "there is no code");
        return findings.finish();
    }
    let program = Program::new(&stage.code.words);
    let layout = Layout::new(&program);
    flow::check(&mut findings, &program, &layout);
    for clause in &layout.clauses {
        let Some(cf) = program.cf(clause.cf) else { continue };
        if clause.fetches {
            clause::fetches(&mut findings, &program, cf);
        } else {
            clause::arithmetic(&mut findings, &program, cf);
        }
    }
    let uses = Uses::new(&program, &layout);
    if let Some(latte) = &stage.interface.latte {
        declared::check(&mut findings, latte, &uses, stage.kind);
    }
    let strays = layout.strays(&program);
    // One assembler puts 16 bytes behind the last instruction, a hash it seems.
    let is_tail = |stretch: &Range<u32>| stretch.start >= layout.end() && stretch.end == program.units();
    let units: usize = match strays.as_slice() {
        [only] if is_tail(only) && only.len() <= TAIL => 0,
        strays => strays.iter().map(Range::len).sum(),
    };
    if units > 0 {
        let message = format!("nothing leads to {units} units of 64 bits that are not zero");
        findings.whole(Note, "latte.strays", message);
    }
    findings.finish()
}
