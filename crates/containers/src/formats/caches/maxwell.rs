//! Programs of the Switch's GPU as emulators keep them: the program header of a graphics program, then its code.

use crate::formats::nvn::control::header_stage;
use unshade_stage::StageKind;

/// Bytes of a program header in front of the code of graphics programs.
pub(crate) const SPH_LEN: usize = 0x50;

/// The kind of a graphics program by its header; `None` where the bytes start with something else, such as code. The first word
/// says twice what it is: its sort (1 all but fragment programs, 2 these) in bits 0-4, its version (3) in bits 5-9.
pub(crate) fn graphics_stage(bytes: &[u8]) -> Option<StageKind> {
    let word = u32::from_le_bytes(*bytes.first_chunk()?);
    let kind = header_stage(bytes)?;
    let sort = if kind == StageKind::Fragment { 2 } else { 1 };
    (bytes.len() >= SPH_LEN && word & 0x1f == sort && word >> 5 & 0x1f == 3).then_some(kind)
}

/// Bytes as words, least significant byte first; what is less than a word is left out.
pub(crate) fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}
