//! Ryujinx: the low half of XXH3-128 over header and code, mixed with that over the constants it read while translating.
//!
//! Its code ends behind the last instruction that its decoder comes to, which is the last one that control can come to, or
//! one of the few behind it, up to the branch to itself.

use super::yuzu;
use twox_hash::XxHash3_128;
use unshade::{Stage, maxwell::Reach};

/// So many ends are tried; between the last instruction that control comes to and the branch to itself there are few words.
const ENDS: usize = 4;

/// The hashes of a program: of one that reads no constants while it is translated, one for each place where it may end; of all of it
/// with the constants that its file has.
pub(super) fn hashes(program: &[u8], stage: &Stage<'_>) -> Vec<u32> {
    let header = program.len().saturating_sub(stage.code.words.len().saturating_mul(4));
    let Some(last) =
        Reach::new(&stage.code).placed.last().and_then(|last| usize::try_from(last.address).ok())
    else {
        return Vec::new();
    };
    let first = header.saturating_add(last).saturating_add(8);
    let end = yuzu::end(program).unwrap_or(program.len()).max(first);
    let ends = (first..=end).step_by(8).take(ENDS).filter_map(|end| program.get(..end));
    // A cache of the emulator's own holds what it read of the constants, and ends where it ended.
    let constants = stage.interface.maxwell.as_deref().map_or(&[][..], |maxwell| &maxwell.constants);
    let with_constants = (!constants.is_empty()).then(|| hash(constants, program));
    ends.map(|code| hash(&[], code)).chain(with_constants).collect()
}

/// The hash of a program of which these constants are read while it is translated.
fn hash(constants: &[u8], code: &[u8]) -> u32 {
    low(constants).wrapping_mul(23) ^ low(code)
}

fn low(bytes: &[u8]) -> u32 {
    XxHash3_128::oneshot(bytes) as u32
}
