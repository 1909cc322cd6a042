//! A control and a code section as an instruction set sees them.

use super::control::{Control, header_len};
use std::borrow::Cow;
use unshade_stage::maxwell::Driver;
use unshade_stage::{Code, Maxwell, StageKind};

/// Instructions start here in a code section of a compute program, which has no header.
const PREFIX: u32 = 0x30;

/// What an instruction set needs of a control and a code section. The offset of the code counts from the start
/// of the code section.
pub(crate) fn pair<'a>(control: &[u8], section: &[u8], kind: StageKind) -> (Code<'a>, Maxwell) {
    let known = Control::new(control);
    let (start, program) = match known {
        Some(control) => (control.program().0, control.program_in(section)),
        None => (PREFIX, section.get(PREFIX as usize..).unwrap_or_default()),
    };
    let header_len = header_len(kind, program);
    let (header, instructions) =
        program.split_at_checked(header_len as usize).unwrap_or((program, Default::default()));
    let words = |bytes: &[u8]| -> Vec<u32> {
        bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    };
    let constants = known.map(|control| control.constants_in(section)).unwrap_or_default();
    let maxwell = Maxwell {
        driver: Driver::Nvn,
        header: words(header),
        constants: constants.to_vec(),
        registers: known.map(Control::registers),
        scratch: known.map_or(0, Control::scratch),
        work_group: known.filter(|_| kind == StageKind::Compute).map(Control::work_group),
        shared_memory: known
            .filter(|_| kind == StageKind::Compute)
            .and_then(|control| control.word(0x754))
            .unwrap_or(0),
        early_tests: known.is_some_and(Control::early_tests),
        ..Maxwell::default()
    };
    let code = Code {
        words: Cow::Owned(words(instructions)),
        file_offset: u64::from(start).saturating_add(header_len.into()),
        ..Code::default()
    };
    (code, maxwell)
}
