//! The row of one program.

use crate::{
    emulators,
    fingerprint::fingerprint,
    interface::Names,
    row::{Row, listed},
};
use twox_hash::XxHash3_64;
use unshade::{
    Diagnostic, Severity, Stage,
    report::{code_hash, instruction_count, lint},
};

/// Bytes of the code that [`Row::head_hash`] is over.
pub(crate) const HEAD: usize = 32;

/// Hash of the first bytes of code, as they lie in the file.
pub(crate) fn head_hash(code: &[u8]) -> u64 {
    XxHash3_64::oneshot(code.get(..HEAD).unwrap_or(code))
}

/// Fills in what a program says itself. `container` is what was found about its container.
pub(crate) fn fill(row: &mut Row, stage: &Stage<'_>, container: Option<&Diagnostic>) {
    row.record = "stage".to_owned();
    row.item.clone_from(&stage.id.0);
    row.kind = stage.kind.name().to_owned();
    row.isa = stage.isa.name().to_owned();
    row.offset = stage.code.file_offset;
    row.code_bytes = (stage.code.words.len() as u64).saturating_mul(4);
    row.instructions = instruction_count(stage);
    row.code_hash = hex(code_hash(stage));
    let looks = fingerprint(stage);
    row.normal_hash = hex(looks.normal);
    row.signature = looks.signature.to_string();
    let head: Vec<u8> = stage.code.words.iter().take(HEAD / 4).flat_map(|word| word.to_le_bytes()).collect();
    row.head_hash = hex(head_hash(&head));
    row.emulator_hashes = listed(emulators::hashes(stage).iter().map(ToString::to_string));
    let entry = stage.code.labels.iter().find(|label| label.word == stage.code.entry);
    row.entry = entry.map(|label| label.name.clone()).unwrap_or_default();
    let Names { inputs, outputs, uniforms, blocks, samplers } = Names::of(stage);
    (row.inputs, row.outputs, row.uniforms) = (inputs, outputs, uniforms);
    (row.blocks, row.samplers) = (blocks, samplers);
    let found = lint(stage);
    row.findings = found.len() as u64;
    verdict(
        row,
        worst(&found)
            .into_iter()
            .chain(container)
            .reduce(|code, container| if container.severity > code.severity { container } else { code }),
    );
}

/// The first of the most severe findings.
pub(crate) fn worst(found: &[Diagnostic]) -> Option<&Diagnostic> {
    found.iter().reduce(|worst, next| if next.severity > worst.severity { next } else { worst })
}

fn verdict(row: &mut Row, worst: Option<&Diagnostic>) {
    row.check = match worst.map(|finding| finding.severity) {
        Some(Severity::Error) => "error",
        Some(Severity::Warning) => "warning",
        Some(Severity::Note) => "note",
        None => "clean",
    }
    .to_owned();
    row.message = worst.map(|finding| format!("[{}] {}", finding.code, finding.message)).unwrap_or_default();
}

/// 16 hexadecimal digits.
pub(crate) fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}
