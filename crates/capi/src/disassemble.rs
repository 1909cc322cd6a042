//! Listings.

use crate::{error::Failure, file::Program, text::Buffer};
use unshade::ListingOptions;

/// Behind each instruction the offset of its word in the file.
pub const UNSHADE_LIST_OFFSETS: u32 = 1;
/// Behind each instruction its word.
pub const UNSHADE_LIST_WORDS: u32 = 2;
/// Without what the control words of Maxwell say.
pub const UNSHADE_LIST_NO_CONTROL: u32 = 4;

/// A program as a listing.
pub(crate) fn disassemble(program: &Program, flags: u32) -> Result<Buffer, Failure> {
    if flags & !(UNSHADE_LIST_OFFSETS | UNSHADE_LIST_WORDS | UNSHADE_LIST_NO_CONTROL) != 0 {
        return Err(Failure::argument("flags", "bits that mean nothing"));
    }
    let options = ListingOptions {
        offsets: flags & UNSHADE_LIST_OFFSETS != 0,
        words: flags & UNSHADE_LIST_WORDS != 0,
        no_control: flags & UNSHADE_LIST_NO_CONTROL != 0,
    };
    Ok(Buffer::text(unshade::disassemble_stage_to_text(&program.stage, &options)))
}
