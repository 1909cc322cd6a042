//! yuzu and its descendants: CityHash64 over program header and code, up to the branch to itself behind the last
//! instruction.

use super::little_endian;
use unshade::Stage;

/// Branches to themselves, as they stand behind programs: with and without the condition's default spelled out.
const SELF_BRANCHES: [u64; 2] = [0xe240_0fff_ff87_000f, 0xe240_0fff_ff07_000f];

/// What lies at the address of a program: its header, where it has one, then its code with control words.
pub(super) fn program(stage: &Stage<'_>) -> Vec<u8> {
    let header = stage.interface.maxwell.as_deref().map(|maxwell| little_endian(&maxwell.header));
    let mut bytes = header.unwrap_or_default();
    bytes.extend(little_endian(&stage.code.words));
    bytes
}

/// Where the first branch to itself stands.
pub(super) fn end(program: &[u8]) -> Option<usize> {
    let words = program.as_chunks::<8>().0;
    let index = words.iter().position(|word| SELF_BRANCHES.contains(&u64::from_le_bytes(*word)))?;
    index.checked_mul(8)
}

/// The hash; `None` for a program without a branch to itself, of which the emulator hashes what its decoder visits.
pub(super) fn hash(program: &[u8]) -> Option<u64> {
    let hashed = program.get(..end(program)?)?;
    Some(cityhasher::hash(hashed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_in_front_of_the_branch() {
        let mut bytes: Vec<u8> = (0..64).collect();
        assert_eq!(hash(&bytes), None);
        bytes.extend(0xe240_0fff_ff07_000f_u64.to_le_bytes());
        bytes.extend([1; 24]);
        assert_eq!(hash(&bytes), Some(0xe99a_b80f_5ec7_dca5));
        bytes[64..72].copy_from_slice(&0xe240_0fff_ff87_000f_u64.to_le_bytes());
        assert_eq!(hash(&bytes), Some(0xe99a_b80f_5ec7_dca5));
        // Only at a multiple of eight.
        assert_eq!(hash(&bytes[4..]), None);
    }
}
