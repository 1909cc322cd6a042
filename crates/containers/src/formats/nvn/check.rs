//! A control section against the code that it is for.

use super::control::{CODE_MAGIC, Control, SPH_LEN, header_stage};
use crate::formats::switch::check::Findings;
use unshade_bytes::Severity::{Error, Warning};
use unshade_stage::StageKind;

/// Code sections start at multiples of this in the pool.
const CODE_ALIGNMENT: u64 = 0x100;
/// The program starts here in a code section.
const PROGRAM_OFFSET: u32 = 0x30;

/// Checks a control section against the code that it is for. Places are those of both in the file.
pub(crate) fn check_pair(
    control: Control<'_>,
    code: &[u8],
    kind: StageKind,
    (control_at, code_at): (u64, u64),
    path: &str,
    findings: &mut Findings,
) {
    let field = |offset: u64| (control_at.saturating_add(offset), 4);
    let size = code.len() as u64;
    let word = code.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    if word != CODE_MAGIC {
        let message = format!("expected code that starts with {CODE_MAGIC:#x}, found {word:#x}");
        findings.report(Warning, "bnsh.code-magic", (code_at, 4), format!("{path}.code"), message);
    }
    if !control.is_for_switch() {
        let found = (control.word(0xC).unwrap_or(0), control.word(0x10).unwrap_or(0));
        let message = format!("expected code for device 0x120, 0xb, found {:#x}, {:#x}", found.0, found.1);
        findings.report(Warning, "bnsh.device", (control_at.saturating_add(0xC), 8), path, message);
    }
    let (major, minor) = control.version();
    if major != 1 || minor < 5 {
        let message = format!("expected code of version 1.5 or a later 1.x, found {major}.{minor}");
        findings.report(Warning, "bnsh.code-version", (control_at.saturating_add(4), 8), path, message);
    }
    // Compilers count the zeros behind the constants, which a file may leave out where the next section begins.
    let known = u64::from(control.code_size());
    if known != size && known != size.next_multiple_of(CODE_ALIGNMENT) {
        let message = format!(
            "expected a code size of {size:#x}, as the record says, or that filled up to {:#x}, found {known:#x}",
            size.next_multiple_of(CODE_ALIGNMENT)
        );
        findings.report(Error, "bnsh.code-size", field(0x704), format!("{path}.control"), message);
    }
    let (start, len) = control.program();
    if start != PROGRAM_OFFSET {
        let message = format!("expected a program at 0x30, found {start:#x}");
        findings.report(Warning, "bnsh.program-offset", field(0x708), format!("{path}.control"), message);
    }
    if u64::from(start).saturating_add(len.into()) > size {
        let message =
            format!("expected a program that ends before {size:#x}, found {len:#x} bytes at {start:#x}");
        findings.report(Error, "bnsh.program-size", field(0x6F8), format!("{path}.control"), message);
    }
    let (start, len) = control.constants();
    if len > 0 && u64::from(start).saturating_add(len.into()) > size {
        let message =
            format!("expected constants that end before {size:#x}, found {len:#x} bytes at {start:#x}");
        findings.report(Error, "bnsh.constants", field(0x6FC), format!("{path}.control"), message);
    }
    if control.stage().kind() != Some(kind) {
        let message = format!(
            "expected code for a {kind} stage, found code for {}",
            control.stage().kind().map_or("none".to_owned(), |kind| format!("a {kind} stage"))
        );
        findings.report(Error, "bnsh.stage", field(0x714), format!("{path}.control"), message);
    }
    let header = control.program_in(code);
    if kind != StageKind::Compute && header.len() >= SPH_LEN as usize {
        let found = header_stage(header);
        if found != Some(kind) {
            let message = format!(
                "expected a program header of a {kind} stage, found one of {}",
                found.map_or("none".to_owned(), |kind| format!("a {kind} stage"))
            );
            let place = (code_at.saturating_add(control.program().0.into()), 4);
            findings.report(Warning, "bnsh.header-stage", place, format!("{path}.code"), message);
        }
    }
}
