//! Cemu: a pair of sums over the words of the program, and keys of the state that it is used with.
//!
//! A pixel program's key is in registers that its structure sets. That of a vertex program is made of the vertex layout
//! as well, which the game builds when it runs, and of the pixel program beside it; a geometry program's counts what the
//! vertex program writes. Of those, only what is the program's own is known.

use super::{EmulatorHash, Scheme};
use unshade::{Latte, Stage, StageKind};

/// What Cemu calls a program, as far as the program says.
pub(super) fn hashes(stage: &Stage<'_>) -> Vec<EmulatorHash> {
    let (first, second) = sums(&stage.code.words);
    let own = first.wrapping_add(second);
    let mut all = vec![EmulatorHash::long(Scheme::CemuProgram, own)];
    if let (StageKind::Fragment, Some(latte)) = (stage.kind, stage.interface.latte.as_deref())
        && let Some(key) = pixel_key(latte)
    {
        all.push(EmulatorHash::long(Scheme::CemuPixel, own.wrapping_add(key)));
    }
    all
}

/// The two sums over the words as they lie in the file, read as a little-endian machine reads them.
fn sums(words: &[u32]) -> (u64, u64) {
    words.iter().fold((0_u64, 0_u64), |(first, second), word| {
        let word = u64::from(*word);
        (first.wrapping_add(word).rotate_left(3), (second ^ word).rotate_right(7))
    })
}

/// The key of the registers that say what a pixel program gets: the control word, then one for each input.
fn pixel_key(latte: &Latte) -> Option<u64> {
    let (control, inputs) = latte.input_registers.split_first()?;
    let field = |shift: u32, mask: u32| control >> shift & mask;
    let position = (field(8, 1) != 0).then(|| field(10, 0x1f));
    let mut key = position.map_or(0, |address| u64::from(address) + 1);
    let generated = u64::from(field(15, 0xf));
    if generated != 0 {
        let address = u64::from(field(19, 0x7f));
        key = key.wrapping_add(generated.rotate_right(7)).wrapping_add(address.rotate_right(3));
    }
    let count = field(0, 0x3f).min(32);
    for index in 0..count {
        let input = inputs.get(index as usize).copied().unwrap_or_default();
        key = key.wrapping_add(input.into()).rotate_left(7);
        if position == Some(index) {
            key = key.wrapping_add(0x33);
        }
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published vectors: bytes 00 to FF, sixteen AA, bytes 00 to 3F, as words.
    #[test]
    fn sums_of_the_vectors() {
        let words = |bytes: &[u8]| -> Vec<u32> {
            bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
        };
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(sums(&words(&all)), (0x9249_2491_236c_9124, 0xaa55_aa55_aa55_aa55));
        assert_eq!(sums(&words(&[0xaa; 16])), (0x0000_0c2f_ffff_f3d0, 0x0157_faa0_0157_faa0));
        assert_eq!(sums(&words(&all[..64])), (0xd800_a72e_b7b3_a3f7, 0x1134_0c5d_479d_5af4));
    }

    #[test]
    fn the_key_of_a_pixel_program() {
        let key =
            |registers: &[u32]| pixel_key(&Latte { input_registers: registers.to_vec(), ..Latte::default() });
        assert_eq!(key(&[]), None);
        assert_eq!(key(&[0]), Some(0));
        // One input: added and turned by 7.
        assert_eq!(key(&[1, 0x21]), Some(0x21 << 7));
        // The position in register 2: 3 at first, and 33 behind the third input.
        let control = 3 | 1 << 8 | 2 << 10;
        let expected = ((3_u64.wrapping_add(1) << 7).wrapping_add(2) << 7).wrapping_add(3) << 7;
        assert_eq!(key(&[control, 1, 2, 3]), Some(expected + 0x33));
        // A generated coordinate: mask 1 in register 8.
        assert_eq!(key(&[1 << 15 | 8 << 19]), Some(1_u64.rotate_right(7).wrapping_add(1)));
    }
}
