//! Emulators of the 3DS: hashes over program memory and operand descriptors.
//!
//! Both memories are shared by all programs and never cleared, so what a longer program left behind is hashed, too. These
//! are the hashes of a program that nothing longer was loaded before.

use super::{EmulatorHash, Scheme, little_endian};
use twox_hash::XxHash3_64;
use unshade::Stage;

/// Words of the program memory.
const PROGRAM: usize = 4096;
/// Words of operand descriptors.
const DESCRIPTORS: usize = 128;

/// What the emulators call a program.
pub(super) fn hashes(stage: &Stage<'_>) -> Vec<EmulatorHash> {
    use Scheme::{
        AzaharDescriptors, AzaharProgram, CitraDescriptors, CitraProgram, PandaDescriptors, PandaProgram,
    };
    let memories = [
        (&stage.code.words, PROGRAM, AzaharProgram, PandaProgram, CitraProgram),
        (&stage.code.descriptors, DESCRIPTORS, AzaharDescriptors, PandaDescriptors, CitraDescriptors),
    ];
    let mut all = Vec::new();
    for (words, size, changed, whole, city) in memories {
        let Some(words) = words.get(..words.len().min(size)) else { continue };
        // Zeros written over zeros do not count as changed.
        let used = words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        let mut bytes = little_endian(words.get(..used).unwrap_or_default());
        all.push(EmulatorHash::long(changed, XxHash3_64::oneshot(&bytes)));
        bytes.resize(size * 4, 0);
        all.push(EmulatorHash::long(whole, XxHash3_64::oneshot(&bytes)));
        all.push(EmulatorHash::long(city, cityhasher::hash(&bytes)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use unshade::{Isa, raw_stage};

    #[test]
    fn zeros_behind_do_not_count() {
        let words: Vec<u32> = (0..16_u32)
            .map(|n| u32::from_le_bytes([4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3].map(|byte| byte as u8)))
            .collect();
        let stage = raw_stage(Isa::Pica200, [words.clone(), vec![0; 3]].concat(), vec![0xaaaa_aaaa; 4]);
        let found = hashes(&stage);
        let of = |scheme| found.iter().find(|hash| hash.scheme == scheme).map(|hash| hash.hash);
        assert_eq!(of(Scheme::AzaharProgram), Some(0x6187_eb90_89b0_ed55));
        assert_eq!(of(Scheme::AzaharDescriptors), Some(0xcb0d_cf44_c835_78ee));
        let mut memory = little_endian(&words);
        memory.resize(16384, 0);
        assert_eq!(of(Scheme::PandaProgram), Some(XxHash3_64::oneshot(&memory)));
        assert_eq!(of(Scheme::CitraProgram), Some(cityhasher::hash(&memory)));
    }
}
