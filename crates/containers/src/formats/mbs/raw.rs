//! Chunks and records as they stand in the file, field for field. Little endian.
//!
//! Sources: the loader of the limare project, the writer of lima_compiler, Mesa's `lima_disasm`, and the bytes
//! of files made by ARM's compiler.

use super::model::Tag;

/// Magic number of the format that is read here.
pub const MBS1: [u8; 4] = *b"MBS1";
/// What all formats of the family start with; the next character is the version.
pub const FAMILY: [u8; 3] = *b"MBS";
/// The family as bits of the first word, little endian, that count, and their values.
pub(crate) const FAMILY_WORD: (u32, u32) = {
    let [m, b, s] = FAMILY;
    (0x00ff_ffff, u32::from_le_bytes([m, b, s, 0]))
};
/// Tag and size in front of each chunk.
pub const CHUNK_HEADER: u64 = 8;

impl Tag {
    /// `CFRA`: a fragment program. Core, then chunks.
    pub const FRAGMENT: Self = Self(*b"CFRA");
    /// `CVER`: a vertex program. Core, then chunks.
    pub const VERTEX: Self = Self(*b"CVER");
    /// `FSTA`: stack of a fragment program, 8 bytes.
    pub const STACK: Self = Self(*b"FSTA");
    /// `FDIS`: whether a fragment program discards, 4 bytes.
    pub const DISCARD: Self = Self(*b"FDIS");
    /// `FBUU`: what a fragment program does with the framebuffer, 8 bytes.
    pub const FRAMEBUFFER: Self = Self(*b"FBUU");
    /// `FINS`: instruction counts of a vertex program, 12 bytes.
    pub const INSTRUCTIONS: Self = Self(*b"FINS");
    /// `SUNI`: uniforms. Count, space, then symbols.
    pub const UNIFORMS: Self = Self(*b"SUNI");
    /// `SATT`: attributes. Count, then symbols.
    pub const ATTRIBUTES: Self = Self(*b"SATT");
    /// `SVAR`: varyings. Count, then symbols.
    pub const VARYINGS: Self = Self(*b"SVAR");
    /// `DBIN`: machine code.
    pub const CODE: Self = Self(*b"DBIN");
    /// `VUNI`: a uniform. Name, 20 bytes, then chunks.
    pub const UNIFORM: Self = Self(*b"VUNI");
    /// `VATT`: an attribute. Name, 16 bytes.
    pub const ATTRIBUTE: Self = Self(*b"VATT");
    /// `VVAR`: a varying. Name, 20 bytes.
    pub const VARYING: Self = Self(*b"VVAR");
    /// `STRI`: text that ends with NUL, filled with zeros to a multiple of 4.
    pub const NAME: Self = Self(*b"STRI");
    /// `VIDX`: three indices of a uniform, each a chunk.
    pub const INDEX: Self = Self(*b"VIDX");
    /// `ITDR`: first index, 4 bytes.
    pub const INDEX_ITDR: Self = Self(*b"ITDR");
    /// `IYUV`: second index, 4 bytes.
    pub const INDEX_IYUV: Self = Self(*b"IYUV");
    /// `IGRD`: third index, 4 bytes.
    pub const INDEX_IGRD: Self = Self(*b"IGRD");
    /// `VINI`: initial value of a uniform. Count, then that many words.
    pub const INITIAL: Self = Self(*b"VINI");
}

/// The chunks in some bytes, in order, each with its contents. What is left at the end, where no whole chunk
/// stands any more, is [`Chunks::rest`].
#[derive(Debug, Clone, Copy)]
pub struct Chunks<'a> {
    rest: &'a [u8],
}

impl<'a> Chunks<'a> {
    /// The chunks of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// What was not taken yet; at the end: bytes that are no chunk.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = (Tag, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (tag, behind) = self.rest.split_first_chunk()?;
        let (size, behind) = behind.split_first_chunk()?;
        let (contents, rest) = behind.split_at_checked(u32::from_le_bytes(*size) as usize)?;
        self.rest = rest;
        Some((Tag(*tag), contents))
    }
}

/// The little-endian words of `bytes`; what is less than a word at the end is left out.
pub fn words(bytes: &[u8]) -> impl ExactSizeIterator<Item = u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word))
}
