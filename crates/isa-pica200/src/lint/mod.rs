//! What is legal to encode but wrong to run, or known to upset hardware and tools.
//!
//! Only what a program can reach is looked at: several programs of one file share their words. Conditions
//! count as undecided, so a finding says what can happen, not what must. Sources: 3dbrew (Pitfalls, Shader
//! Instruction Set), the behaviour of the reference assembler, emulators.

mod blocks;
mod outputs;
mod temporaries;
mod words;

pub use temporaries::unwritten;
pub(super) use words::sources;

use super::reach::{Reach, reach};
use unshade_bytes::{Diagnostic, Severity};
use unshade_isa_common::findings::Findings;
use unshade_stage::{ConstantValue, Space, Stage, StageKind};

/// Checks the code of a program. Codes start with `pica200.`; paths are `code[WORD]`, or `code` for what
/// concerns the whole of it.
pub fn lint(stage: &Stage<'_>) -> Vec<Diagnostic> {
    let words = &*stage.code.words;
    let mut findings = Findings::new(stage);
    if stage.code.entry as usize >= words.len() {
        let message = format!(
            "execution starts at word {:#x}, but the code has {} words",
            stage.code.entry,
            words.len()
        );
        findings.whole(Severity::Error, "pica200.entry-outside", message);
        return findings.finish();
    }
    let reach = reach(words, stage.code.entry);
    if !reach.complete {
        let message = "the calls of this code are too entangled to follow; only part of it was looked at";
        findings.whole(Severity::Note, "pica200.entangled", message);
    }
    sizes(&mut findings, &reach);
    words::check(&mut findings, &reach);
    blocks::check(&mut findings, &reach);
    outputs::check(&mut findings, &reach);
    temporaries::check(&mut findings, &reach);
    findings.finish()
}

/// Limits of the machine, and what the file says about the program as a whole.
fn sizes(findings: &mut Findings<'_>, reach: &Reach) {
    let stage = findings.stage;
    let code = &stage.code;
    let is_vertex = stage.kind == StageKind::Vertex;
    if is_vertex
        && let Some(last) = reach.words.iter().rposition(|&reached| reached).filter(|&last| last >= 512)
    {
        let message = format!("a vertex program reaches word {last:#x}; vertex units hold 512 words");
        findings.word(Severity::Warning, "pica200.vertex-code-size", last as u32, message);
    }
    if code.words.len() > 4096 {
        let message = format!("the code has {} words; the machine holds 4096", code.words.len());
        findings.whole(Severity::Warning, "pica200.code-size", message);
    }
    if code.descriptors.len() > 128 {
        let message =
            format!("there are {} operand descriptors; the machine holds 128", code.descriptors.len());
        findings.whole(Severity::Warning, "pica200.descriptor-count", message);
    }
    if reach.complete && reach.runs.iter().all(|run| !run.ends) {
        findings.whole(Severity::Warning, "pica200.no-end", "no `end` can be reached");
    } else if reach.runs.first().is_some_and(|main| main.leaves_code) {
        let message = "execution can run past the last word without coming to an `end`";
        findings.whole(Severity::Warning, "pica200.runs-off", message);
    }
    let main = code.labels.iter().find(|label| label.name == "main");
    if let Some(main) = main.filter(|main| main.word != code.entry) {
        let message = format!(
            "execution starts at word {:#x}, but the label `main` is at {:#x}",
            code.entry, main.word
        );
        findings.word(Severity::Warning, "pica200.entry-not-main", code.entry, message);
    }
    let sets_b15 = |constant: &&unshade_stage::Constant| {
        constant.space == Space::Bool
            && constant.register == 15
            && matches!(constant.value, ConstantValue::Bool(_))
    };
    if stage.kind == StageKind::Geometry && code.constants.iter().any(|constant| sets_b15(&constant)) {
        let message = "b15 is given a value, but the hardware sets it after each run of a geometry program";
        findings.whole(Severity::Warning, "pica200.b15-constant", message);
    }
}
