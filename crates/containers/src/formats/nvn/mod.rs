//! Code for the driver interface of the Switch (NVN): a control section that the driver reads and a code
//! section that the GPU reads; and the raw files that hold such pairs.

mod check;
mod code_facts;
pub mod control;
mod deko3d;
pub mod detached;
mod format;
#[cfg(feature = "manifest")]
mod manifest;
pub mod names;
mod pair;
mod programs;
pub mod section;
mod stage;
mod tree;

pub(crate) use check::check_pair;
pub use control::{Control, NvnStage};
pub use deko3d::DkshProgram;
pub use detached::{Detached, Sections};
pub use names::{Group, NamedSlot, Names};
pub use pair::{NvnPair, NvnShader, read};
pub use section::NvnCode;
pub(crate) use stage::pair;
pub(crate) use tree::control_node;

use control::header_len;
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::StageKind;

/// The sections of a stage with other instructions: program header, constants and everything else of the
/// control section stay; sizes and places follow.
///
/// # Errors
/// [`ErrorKind::Unrepresentable`] for a control section that does not say where its program is, and for code
/// that is no whole number of instructions.
pub fn with_instructions(
    control: &[u8],
    code: &[u8],
    kind: StageKind,
    words: &[u32],
) -> Result<(Vec<u8>, Vec<u8>)> {
    let unfit = |expected: &'static str, found: String| {
        Error::new(ErrorKind::Unrepresentable, 0, "code", expected, found).code("nvn.code")
    };
    let Some(known) = Control::new(control) else {
        return Err(unfit("a control section that says where its program is", "another".to_owned()));
    };
    if !words.len().is_multiple_of(2) {
        return Err(unfit("instructions of 64 bits", format!("{} words of 32 bits", words.len())));
    }
    let (start, _) = known.program();
    let front_len = start.saturating_add(header_len(kind, known.program_in(code))) as usize;
    let Some(front) = code.get(..front_len) else {
        return Err(unfit("a program header in the code section", format!("{} bytes", code.len())));
    };
    let constants = known.constants_in(code);
    let mut section = front.to_vec();
    section.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let program_size = section.len().saturating_sub(start as usize);
    section.resize(section.len().next_multiple_of(0x100), 0);
    let constants_at = section.len();
    section.extend_from_slice(constants);
    section.resize(section.len().next_multiple_of(0x100), 0);
    let mut changed = control.to_vec();
    for (offset, value) in [(0x6F8, program_size), (0x700, constants_at), (0x704, section.len())] {
        let value = u32::try_from(value).map_err(|_| unfit("a section of 32 bits", value.to_string()))?;
        if let Some(place) = changed.get_mut(offset..).and_then(|rest| rest.first_chunk_mut()) {
            *place = value.to_le_bytes();
        }
    }
    Ok((changed, section))
}
