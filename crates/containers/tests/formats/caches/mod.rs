//! Shader caches of emulators: the files of the corpus, and caches made by chance, each held against what its generator says of
//! it, which knows nothing of the reader.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod cemu;
mod citra;
mod make;
mod ryujinx;
mod vkch;
mod yuzu;

use crate::common;

/// How many caches each generator makes: `UNSHADE_RANDOM` says more.
fn cases() -> u64 {
    std::env::var("UNSHADE_RANDOM").ok().and_then(|count| count.parse().ok()).unwrap_or(200)
}

/// A file of the corpus of caches, or `None` with a line that says so.
fn corpus(name: &str) -> Option<Vec<u8>> {
    let folder = common::shared("corpus/emulator-caches")?;
    Some(std::fs::read(folder.join(name)).expect("a file of the corpus"))
}

/// What must hold of every cut and of flipped bits of a sound file, `step` apart.
fn sweep(bytes: &[u8], step: usize) {
    let all = std::env::var("UNSHADE_SWEEP").is_ok_and(|sweep| sweep == "all");
    let step = if all { 1 } else { step };
    for len in (0..bytes.len()).step_by(step) {
        common::sound(&bytes[..len]);
    }
    let mut changed = bytes.to_vec();
    for bit in (0..bytes.len() * 8).step_by(if all { 1 } else { step * 8 + 5 }) {
        changed[bit / 8] ^= 1 << (bit % 8);
        common::sound(&changed);
        changed[bit / 8] ^= 1 << (bit % 8);
    }
}
