//! The types and parts of the sources of video operations.

use crate::field::Field;
use crate::template::VideoTypes;

/// Which part of a register the first source of a video operation is, and whether it has a sign.
pub(crate) const VIDEO_A: Field = Field::two((36, 3), (48, 1));
/// The same of a register as second source.
pub(crate) const VIDEO_B: Field = Field::new(28, 3);

/// The types by part and sign; an immediate is a short one.
pub(crate) const TYPES: [&str; 16] = [
    ".U8",
    ".U8",
    ".U8",
    ".U8",
    ".U16",
    ".U16",
    ".U32",
    ".INVALIDSEL6",
    ".S8",
    ".S8",
    ".S8",
    ".S8",
    ".S16",
    ".S16",
    ".S32",
    ".INVALIDSEL7",
];

/// The types of the sources of a video operation.
pub(super) fn video_types(word: u64, shift: bool) -> (&'static str, &'static str) {
    let name = |value: u64| TYPES.get(value as usize).copied().unwrap_or_default();
    (name(VIDEO_A.get(word)), name(video_b(word, shift)))
}

/// Part and sign of the second source: an immediate is like a short one.
fn video_b(word: u64, shift: bool) -> u64 {
    let part = if word >> 50 & 1 == 1 { VIDEO_B.get(word) } else { 4 };
    if shift { if part == 7 { 15 } else { part } } else { part | (word >> 49 & 1) << 3 }
}

/// Whether the text has no types: both are whole signed words, or would be.
pub(crate) fn hides_types(word: u64, types: VideoTypes) -> bool {
    let register = word >> 50 & 1 == 1;
    VIDEO_A.get(word) == 14
        && match (types, register) {
            (VideoTypes::Shift, true) => VIDEO_B.get(word) == 6,
            (VideoTypes::Shift, false) => true,
            (_, true) => video_b(word, false) == 14,
            (VideoTypes::Signed, false) => word >> 49 & 1 == 1,
            (VideoTypes::Shown, false) => false,
        }
}

/// The suffix of a part.
pub(crate) fn video_part(part: u64) -> &'static str {
    ["", ".B1", ".B2", ".B3", "", ".H1", "", ""].get(part as usize).copied().unwrap_or_default()
}
