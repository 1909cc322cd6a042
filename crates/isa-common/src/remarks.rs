//! What a listing says beside the code.

/// Remarks behind or in front of the instructions of a listing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Remarks {
    /// Where each instruction stands in its file, in bytes; the value is the offset of the first word.
    pub offsets: Option<u64>,
    /// The code words.
    pub words: bool,
}
