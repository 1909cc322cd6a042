//! Several files as one run of bytes, which is what every reader takes.
//!
//! ```text
//! guest.toc | guest.data | shared.toc | shared.data | 4 x u64: their lengths | "UNSHTOCG"
//! ```
//! No emulator knows this: it is how files that belong together come to a library that takes bytes and gives bytes.

use super::raw::{GUEST_MAGIC, HEADER_LEN};

/// Names of the files, in the order in which they are joined.
pub const NAMES: [&str; 4] = ["guest.toc", "guest.data", "shared.toc", "shared.data"];

/// Last bytes of joined files.
const END: [u8; 8] = *b"UNSHTOCG";
/// Bytes behind the files.
const TRAILER: usize = 40;

/// The files of a cache; those that are not there are empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Files<'a> {
    /// `guest.toc`.
    pub guest_toc: &'a [u8],
    /// `guest.data`.
    pub guest_data: &'a [u8],
    /// `shared.toc`.
    pub shared_toc: &'a [u8],
    /// `shared.data`.
    pub shared_data: &'a [u8],
}

/// The files of a cache as one run of bytes.
pub fn join(files: Files<'_>) -> Vec<u8> {
    let all = [files.guest_toc, files.guest_data, files.shared_toc, files.shared_data];
    let mut bytes = all.concat();
    bytes.extend(all.iter().flat_map(|file| (file.len() as u64).to_le_bytes()));
    bytes.extend(END);
    bytes
}

impl<'a> Files<'a> {
    /// Takes joined files apart; `None` for bytes that are none.
    pub fn of(bytes: &'a [u8]) -> Option<Self> {
        let (files, trailer) = bytes.split_at_checked(bytes.len().checked_sub(TRAILER)?)?;
        let [toc, data, shared, state] = trailer.strip_suffix(&END)?.as_chunks::<8>().0 else { return None };
        let mut rest = files;
        let mut next = |length: &[u8; 8]| {
            let (file, behind) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
            rest = behind;
            Some(file)
        };
        let files = Self {
            guest_toc: next(toc)?,
            guest_data: next(data)?,
            shared_toc: next(shared)?,
            shared_data: next(state)?,
        };
        let header = files.guest_toc.starts_with(&GUEST_MAGIC) && files.guest_toc.len() >= HEADER_LEN;
        (rest.is_empty() && header).then_some(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn together_and_apart() {
        let toc = [&GUEST_MAGIC[..], &[7; 28]].concat();
        let files = Files { guest_toc: &toc, guest_data: &[1, 2, 3], shared_toc: b"TOCS", shared_data: &[] };
        let bytes = join(files);
        assert_eq!(Files::of(&bytes), Some(files));
        assert_eq!(Files::of(&bytes[..bytes.len() - 1]), None);
        assert_eq!(Files::of(&toc), None);
        // Lengths that are not those of the files.
        let mut other = bytes.clone();
        other[toc.len() + 7] ^= 1;
        assert_eq!(Files::of(&other), None);
    }
}
