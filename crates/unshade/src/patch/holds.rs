//! Whether a patch holds something of the old file.

use super::Patch;
use crate::delta::{Index, Piece};

/// So long a run of the old file must not stand in a patch.
const RUN: usize = 32;

/// Whether a run of the old file stands in the text of the patch, or in what its digits say; runs of one byte apart.
pub(super) fn run_of(old: &[u8], patch: &Patch) -> bool {
    let text = patch.to_string();
    let mut said = text.clone().into_bytes();
    let mut bytes = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("  bytes ") {
            // The rows of one piece belong together.
            Some(digits) => decode(digits.as_bytes(), &mut bytes),
            None => {
                said.append(&mut bytes);
                // Digits in the lines of manifests.
                let words = line.split(|c: char| !c.is_ascii_hexdigit());
                for digits in words.filter(|digits| digits.len() >= 2 * RUN) {
                    decode(digits.as_bytes(), &mut said);
                    decode(digits.as_bytes().get(1..).unwrap_or_default(), &mut said);
                }
            }
        }
    }
    said.append(&mut bytes);
    Index::new(old).delta(&said).iter().any(|piece| match piece {
        Piece::Copy(run) => {
            let windows = old[run.clone()].windows(RUN);
            windows.into_iter().any(|window| window.iter().any(|byte| *byte != window[0]))
        }
        Piece::New(_) => false,
    })
}

fn decode(digits: &[u8], out: &mut Vec<u8>) {
    let nibble = |digit: u8| char::from(digit).to_digit(16).unwrap_or_default() as u8;
    out.extend(digits.as_chunks::<2>().0.iter().map(|[high, low]| nibble(*high) << 4 | nibble(*low)));
}
