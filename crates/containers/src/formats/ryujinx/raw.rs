//! Magic numbers, sizes, versions.

/// First bytes of `guest.toc`.
pub const GUEST_MAGIC: [u8; 4] = *b"TOCG";
/// First bytes of `shared.toc`.
pub const SHARED_MAGIC: [u8; 4] = *b"TOCS";
/// First bytes of the files that hold programs for the machine that the emulator runs on.
pub const HOST_MAGIC: [u8; 4] = *b"TOCH";
/// Version of `guest.toc`: 1.1.
pub const GUEST_VERSION: u32 = 0x0001_0001;
/// Version of `shared.toc`: 1.2.
pub const SHARED_VERSION: u32 = 0x0001_0002;
/// Bytes of the header of either file.
pub const HEADER_LEN: usize = 32;
/// Bytes of an entry of `guest.toc`.
pub const ENTRY_LEN: usize = 16;

/// Longest program that is unpacked, in bytes. The machine's own programs are far shorter; the emulator reads none of more than
/// this.
pub const MOST_CODE: usize = 1 << 20;
/// Longest description of a program in `shared.data` that is unpacked, in bytes.
pub const MOST_STATE: usize = 1 << 16;

/// How something is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Not at all.
    None,
    /// Deflate without the head of zlib.
    Deflate,
    /// Brotli; the one that is written today.
    Brotli,
}

impl Algorithm {
    /// The algorithm with that number.
    pub fn of(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::None),
            1 => Some(Self::Deflate),
            2 => Some(Self::Brotli),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "not packed",
            Self::Deflate => "deflate",
            Self::Brotli => "Brotli",
        }
    }
}
